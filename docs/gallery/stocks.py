"""
A correlation network of stock returns
======================================

Which shares move together, for risk managers. The minimum spanning tree of the correlation distance keeps,
of all pairs of shares, the few that tie each share to its closest relative (R. N. Mantegna, *Hierarchical
structure in financial markets*, 1999). Sectors become branches, although the tree is computed without them.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas

import boruvka

SIZE = 750  # tests: 60

# %%
# Daily returns are generated: the market, which moves all shares ever more, the sector, and the share itself.

rng = np.random.default_rng(3)
sectors = ["banks", "energy", "health", "software", "transport"]
sector = np.repeat(np.arange(5), 7)
names = [f"{sectors[s][:2].upper()}{k % 7 + 1}" for k, s in enumerate(sector)]
market, industry, own = (rng.normal(size=(SIZE, k)) for k in (1, 5, sector.size))
market *= np.linspace(0.2, 1, SIZE)[:, None]
values = market + 0.9 * industry[:, sector] + own * rng.uniform(0.6, 1.4, sector.size)
dates = pandas.date_range("2023-01-02", periods=SIZE, freq="B", name="date")
returns = pandas.DataFrame(values, dates, names)

# %%
# One window of all dates is one tree. The distance of two shares is ``sqrt(2 * (1 - correlation))``.

tree = boruvka.rolling_forests(returns, SIZE)[0]
inside = sector[tree.u] == sector[tree.v]
print(f"{inside.sum()} of the {len(tree)} edges join shares of one sector")

windows = boruvka.rolling_forests(returns, SIZE // 3, step=SIZE // 60)
figure, axes = plt.subplot_mosaic(
    [["tree", "weight"], ["tree", "survival"]], figsize=(11, 4.8), width_ratios=(2, 1), layout="constrained"
)
windows.plot([axes["weight"], axes["survival"]])
axes["survival"].sharex(axes["weight"])
axes["survival"].tick_params(axis="x", rotation=45)
axes["weight"].tick_params(labelbottom=False)
sector_of = {name: sectors[s] for name, s in zip(names, sector, strict=True)}
tree.plot(colors=sector_of, by="weight", labels=True, ax=axes["tree"])
axes["tree"].set_title("Shares and their closest relatives")

# %%
# Shares of one sector are connected. The few edges between sectors are dark: they are among the heaviest.
# On the right are the trees of a rolling window: the market moves the shares more and more together, so the
# weight falls.
