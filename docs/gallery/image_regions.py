"""
Regions of a photograph
=======================

Parts of a picture that look alike, for those who count, measure or label what is on it. Pixels are
vertices, and the difference of two neighbours is the weight of their edge. Regions grow along the edges of
the minimum spanning forest until a boundary stands out (P. F. Felzenszwalb, D. P. Huttenlocher, 2004).
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import ndimage
from skimage import color, data

import boruvka
from boruvka import pixel_graph, segment

SIZE = 512  # tests: 100

photograph = data.astronaut()[:SIZE, :SIZE]  # NASA, in the public domain; it comes with scikit-image
image = ndimage.gaussian_filter(photograph.astype(np.float32), (0.8, 0.8, 0))  # less noise

# %%
# One forest serves all scales: a larger scale makes larger regions.

forest = boruvka.minimum_spanning_forest(pixel_graph(image))
figure, axes = plt.subplots(1, 3, figsize=(8, 3), layout="compressed")
axes[0].imshow(photograph)
axes[0].set_title("photograph")
for ax, scale in zip(axes[1:], [200, 900], strict=True):
    regions = segment(forest, scale, min_size=60).reshape(image.shape[:2])
    ax.imshow(color.label2rgb(regions, photograph, kind="avg", bg_label=-1))
    ax.set_title(f"scale {scale}: {regions.max() + 1} regions")
    print(
        f"scale {scale}: {regions.max() + 1} regions, the largest {np.bincount(regions.ravel()).max()} pixels"
    )
for ax in axes:
    ax.axis("off")

# %%
# Each region is drawn in its mean colour. At the small scale, hair and face are several regions, as are the
# folds of the suit. At the large one, the head is one region, and nearly all of the suit another.
