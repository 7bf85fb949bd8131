"""Catalogues of the sky: friends of friends, mass segregation, and filaments."""

import warnings

import numpy as np
import pandas as pd
from matplotlib import pyplot

import boruvka

rng = np.random.default_rng(7)
centres = np.array([[1, 0, 0], [0, 0, 1], [-0.8, 0.5, 0.3]])  # at RA 0, at the pole, and elsewhere
clumps = (centres[:, None] + 0.05 * rng.normal(size=(3, 200, 3))).reshape(-1, 3)
x, y, z = np.concatenate([clumps, rng.normal(size=(700, 3))]).T
ra, dec = np.degrees(np.arctan2(y, x)) % 360, np.degrees(np.arctan2(z, np.hypot(x, y)))
catalogue = pd.DataFrame({"RAJ2000": ra, "DEJ2000": dec})

graph = boruvka.Graph.from_points(catalogue, degrees=True)
sky = boruvka.minimum_spanning_forest(graph)
groups = sky.cut_at("1.25deg")
sizes = np.bincount(groups)
large = np.flatnonzero(sizes >= 20)
print(f"{large.size} groups of at least 20, with {sizes[large]} members, of {sizes.size}")
print(
    f"the tree is {np.degrees(sky.weight):.1f} degrees long, its longest edge {np.degrees(sky.w.max()):.2f}"
)

flat = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(catalogue.to_numpy()))
sizes_in_a_plane = np.bincount(flat.cut_at(1.25))
print("in a plane:", sizes_in_a_plane[sizes_in_a_plane >= 20], "members")

catalogue.to_csv("catalogue.csv", index=False)

parts = {"RAh": ["05", "10"], "RAm": ["35", "45"], "RAs": ["17.3", "03.6"]}
parts |= {"DE-": ["-", "-"], "DEd": ["05", "59"], "DEm": ["23", "41"], "DEs": ["28", "04"]}
with warnings.catch_warnings():
    warnings.simplefilter("ignore", boruvka.GraphWarning)  # which has the first angle, as it is read
    nebulae = boruvka.Graph.from_points(pd.DataFrame(parts), degrees=True)
print(nebulae.coordinates.round(4).tolist(), "degrees")


def segregation(graph, masses, count, samples=200):
    """Return Lambda_MSR of the `count` most massive points, and its error (Allison et al. 2009)."""
    if np.shape(masses) != (graph.n,) or not np.isfinite(masses).all():
        raise ValueError("masses must be a finite number for each point")

    def length(chosen):
        points = boruvka.Graph.from_points(graph.points[chosen], graph.distance, box=graph.box)
        return float(boruvka.minimum_spanning_forest(points).weight)

    rng = np.random.default_rng(0)
    random = [length(rng.choice(graph.n, count, replace=False)) for _ in range(samples)]
    of_massive = length(np.argsort(-np.asarray(masses), kind="stable")[:count])
    return np.mean(random) / of_massive, np.std(random) / of_massive


masses = rng.pareto(1.35, 1000) + 0.1
stars = rng.normal(size=(1000, 2)) / np.where(masses > np.sort(masses)[-30], 3, 1)[:, None]
for count in 10, 30, 100:
    ratio, error = segregation(boruvka.Graph.from_points(stars), masses, count)
    print(f"{count:3} stars: Lambda_MSR = {ratio:.2f} ± {error:.2f}")

n = len(stars)
length = float(boruvka.minimum_spanning_forest(boruvka.Graph.from_points(stars)).weight)
separations = sum(np.hypot(*(stars[k + 1 :] - stars[k]).T).sum() for k in range(n)) / (n * (n - 1) / 2)
print(f"Q = {length / (np.sqrt(np.pi * n) * separations):.2f}")


def eastward(ra, dec):
    """Return degrees east of the middle of a field, as long as degrees of declination."""
    middle = np.angle(np.exp(1j * np.radians(ra)).sum(), deg=True)
    return ((ra - middle + 180) % 360 - 180) * np.cos(np.radians(dec))


of_field = np.random.default_rng(2)  # three clusters and other stars, around RA 0
centres = of_field.uniform([-2, 57, 2, -4, -4], [2, 61, 4, 4, 4], (3, 5)).repeat(150, axis=0)
members = centres + of_field.normal(size=centres.shape) * [0.6, 0.3, 0.2, 0.5, 0.5]
others = of_field.uniform([-8, 55, 0, -8, -8], [8, 63, 6, 8, 8], (250, 5))
field = pd.DataFrame(np.concatenate([members, others]), columns=["ra", "dec", "parallax", "pmra", "pmdec"])
field["ra"] %= 360
for name, east in ("right ascension", field["ra"]), ("eastward", eastward(field["ra"], field["dec"])):
    scaled = field.assign(ra=east) / field.assign(ra=east).std()
    density = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(scaled.to_numpy(), min_samples=10))
    labels = density.hdbscan([20]).labels[0]
    print(f"{name}: clusters of {np.bincount(labels[labels >= 0])} stars")
field.assign(ra=eastward(field["ra"], field["dec"])).to_csv("field.csv", index=False)


def comoving(z, matter=0.3):
    """Return the comoving distance in Mpc/h at redshifts, in a flat universe."""
    if not ((z >= 0) & (z < np.inf)).all():  # such as -9999 of SDSS, or NaN
        raise ValueError("redshifts must be finite and at least 0: leave out the other galaxies")
    at = np.linspace(0, z.max(), 10_000)
    rate = 1 / np.sqrt(matter * (1 + at) ** 3 + 1 - matter)
    distance = np.append(0, np.cumsum((rate[1:] + rate[:-1]) / 2 * np.diff(at)))
    return 2997.92458 * np.interp(z, at, distance)  # the speed of light in 100 km/s


def to_space(ra, dec, z):
    """Return x, y and z in Mpc/h of places on the sky in degrees, and redshifts."""
    ra, dec = np.radians(ra), np.radians(dec)
    directions = [np.cos(dec) * np.cos(ra), np.cos(dec) * np.sin(ra), np.sin(dec)]
    return pd.DataFrame((comoving(z) * directions).T, columns=["x [Mpc/h]", "y [Mpc/h]", "z [Mpc/h]"])


low, high = [150, 0, 0.02], [210, 40, 0.09]  # RA, Dec and redshift
ends, along = rng.uniform(low, high, (9, 3)), rng.integers(0, 8, 1200)  # galaxies along 8 lines
lines = ends[along] + rng.random((1200, 1)) * (ends[along + 1] - ends[along])
lines += rng.normal(size=(1200, 3)) * [0.3, 0.3, 0.0003]
galaxies = to_space(*np.concatenate([lines, rng.uniform(low, high, (600, 3))]).T)

cosmic = boruvka.Graph.from_points(galaxies)
web = boruvka.minimum_spanning_forest(cosmic)
skeleton = web.prune(longest=6, fewest=8)
print(f"{len(skeleton):,} of {len(web):,} edges are left, {skeleton.weight:,.0f} of {web.weight:,.0f} Mpc/h")

branches = skeleton.branches()
table = branches.to_pandas().assign(shape=branches.distance / branches.length)
print(table.nlargest(3, "length")[["edges", "length", "shape"]].round(2).to_string(index=False))

first = int(np.argmax(branches.length))
filament = boruvka.Forest(
    cosmic, np.sort(branches.edges[branches.offsets[first] : branches.offsets[first + 1]])
)
galaxies.to_csv("galaxies.csv", index=False)

figure = pyplot.figure(figsize=(13, 5), layout="constrained")
left = figure.add_subplot(121, projection="mollweide")
sky.plot(ax=left, colors=np.where(sizes[groups] >= 20, groups, -1))  # -1 is grey
left.xaxis.set_zorder(9)  # longitudes above the points
pyplot.setp(left.get_xticklabels(), fontsize=7, bbox={"facecolor": "white", "linewidth": 0, "pad": 1})
right = figure.add_subplot(122)
right.scatter(galaxies.iloc[:, 0], galaxies.iloc[:, 1], 2, "silver")
skeleton.plot(ax=right, only=skeleton.degrees > 0, axes=True)
steps = galaxies.to_numpy()[[filament.u, filament.v]]
right.plot(steps[..., 0], steps[..., 1], color="red", linewidth=3)
figure.savefig("sky.png", dpi=80)
