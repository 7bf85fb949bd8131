"""Regions of a photograph, from its minimum spanning forest, beside those of scikit-image."""

import argparse
import time

import numpy as np
import skimage
from matplotlib.figure import Figure
from scipy import ndimage
from skimage.metrics import adapted_rand_error

import boruvka
from boruvka import pixel_graph, segment

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--quick", action="store_true", help="a part of the photograph only")
parser.add_argument("-o", "--output", default="segmentation.png", help="where the picture goes")
options = parser.parse_args()

photograph = skimage.data.astronaut()  # in the public domain, by NASA; it comes with scikit-image
if options.quick:
    photograph = photograph[:200, 130:330]
image = ndimage.gaussian_filter(photograph.astype(np.float32), (0.8, 0.8, 0))  # scikit-image smooths too

graph = pixel_graph(image)  # each pixel and its 8 neighbours, weighted by the difference of colours
forest = boruvka.minimum_spanning_forest(graph)
regions = segment(forest, 350, min_size=50).reshape(image.shape[:2])

# A difference of greys, the same in 3 channels, is 3 times that in L1 and 3 ** 0.5 in the Euclidean norm.
theirs = skimage.segmentation.felzenszwalb(photograph, scale=350 / 3**0.5, sigma=0.8, min_size=50)
exact = segment(graph, 350, min_size=50).reshape(image.shape[:2])  # with all edges, as in the paper
for name, labels in [("scikit-image", theirs), ("all edges", exact)]:
    agreement = 1 - adapted_rand_error(labels, regions, ignore_labels=())[0]
    print(f"{regions.max() + 1} regions, {name} {labels.max() + 1}; F-score of pairs {agreement:.2f}")

for name, call in [
    ("graph", lambda: pixel_graph(image)),
    ("forest", lambda: boruvka.minimum_spanning_forest(graph)),
    ("regions of the forest", lambda: segment(forest, 350, min_size=50)),
    ("regions with all edges", lambda: segment(graph, 350, min_size=50)),
    ("scikit-image", lambda: skimage.segmentation.felzenszwalb(photograph, 350 / 3**0.5, 0.8, 50)),
]:
    begin = time.perf_counter()
    call()
    print(f"{name}: {time.perf_counter() - begin:.3f} s")

figure = Figure(figsize=(8, 8.4), layout="constrained")
figure.get_layout_engine().set(w_pad=0.01, h_pad=0.02)
axes = figure.subplots(2, 2).ravel()
axes[0].imshow(photograph)
axes[0].set_title("photograph")
names = ["boruvka, edges of the forest", "boruvka, all edges", "scikit-image"]
for axis, name, labels in zip(axes[1:], names, [regions, exact, theirs], strict=True):
    axis.imshow(skimage.color.label2rgb(labels, photograph, kind="avg", bg_label=-1))
    axis.set_title(f"{name}: {labels.max() + 1} regions")
for axis in axes:
    axis.axis("off")
figure.savefig(options.output, dpi=85)
print(options.output)
