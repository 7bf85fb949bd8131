"""Contacts one by one, and who is connected by recent ones."""

import matplotlib.pyplot as plt
import numpy as np

import boruvka

forest = boruvka.IncrementalForest()
for u, v, w in [(0, 1, 5.0), (1, 2, 7.0), (2, 0, 6.0), (0, 1, 9.0)]:
    print((u, v, w), "->", forest.insert(u, v, w))
print(forest.edges, forest.weight)

rng = np.random.default_rng(4)
people, meetings = 500, 9000
a, b = rng.integers(0, people, (2, meetings))
apart = np.arange(meetings) % 4000 > 2000  # then people meet only in ten circles of 50
b[apart] = a[apart] % 10 + 10 * rng.integers(0, 50, apart.sum())

contacts = boruvka.IncrementalForest(people, maximum=True, dtype="int64")
windows = np.array([500, 1000, 2000])
groups = np.empty((meetings, windows.size), int)
for now in range(meetings):
    contacts.insert(a[now], b[now], now)
    age = now - contacts.edges  # an edge has the number of its time here
    groups[now] = people - (age[:, None] < windows).sum(axis=0)

oldest = contacts.bottleneck(0, 1).edges
print(f"0 and 1 are connected by contacts of the last {now - oldest} steps")
print(groups[-1], "groups in windows of", windows)

figure, ax = plt.subplots(figsize=(8, 4))
lines = ax.semilogy(groups)
ax.legend(lines, [f"contacts of the last {window} steps" for window in windows])
ax.set(xlabel="time", ylabel="groups of connected people")
figure.savefig("groups.png", dpi=150)
