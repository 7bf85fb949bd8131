"""Ten kinds of files and what to type for each: writes the files and draws ``docs/first_lines.svg``."""

from pathlib import Path
from xml.sax.saxutils import escape

KINDS = [
    (
        "Table of edges",
        "boruvka solve roads.csv",
        "from,to,length\nBrno,Praha,205\nBrno,Zlín,97\nPraha,Zlín,300\n",
    ),
    (
        "List of edges, ids from 1",
        "boruvka solve graph.txt --one-based",
        "1 2 3.5\n2 3 1.25\n1 3 2\n3 4 4.5\n",
    ),
    (
        "Pairs without weights",
        "boruvka solve friends.csv --unweighted",
        "id_1,id_2\n0,1\n1,2\n0,2\n",
    ),
    (
        "Matrix of distances",
        "boruvka solve distances.csv",
        ",iso1,iso2,iso3,iso4\niso1,0,4,7,9\niso2,4,0,3,8\niso3,7,3,0,5\niso4,9,8,5,0\n",
    ),
    (
        "Triangle of distances",
        "boruvka solve distances.phy",
        "    5\nstrainA\nstrainB     2\nstrainC     5  3\nstrainD     7  6  3\nstrainE     9  9  8  5\n",
    ),
    (
        "Matrix of a network",
        "boruvka solve network.txt --zero-is-no-edge",
        "0 3 0 0\n3 0 1 0\n0 1 0 2\n0 0 2 0\n",
    ),
    (
        "Profiles of alleles",
        "boruvka solve profiles.tsv --profiles --missing ignore",
        "#Name\tST\tarcC\taroE\tglpF\tgmk\nA\t22\t7\t6\t1\t5\nB\t22\t7\t-\t1\t5\nC\t45\t10\t6\t8\t5\n",
    ),
    (
        "Aligned sequences",
        "boruvka solve core.fasta --profiles",
        ">s1\nACGTACGTAA\n>s2\nACGTACGAAA\n>s3\nACTTACGAAA\n",
    ),
    (
        "Places, or other points",
        "boruvka solve places.csv --points --degrees --id name",
        "name,lat,lon\nPraha,50.09,14.42\nBrno,49.20,16.61\nWien,48.21,16.37\n",
    ),
    (
        "File of a graph program",
        "boruvka solve network.graphml",
        """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="n" for="node" attr.name="name" attr.type="string"/>
<key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected">
<node id="n0"><data key="n">Shop</data></node>
<node id="n1"><data key="n">Home</data></node>
<node id="n2"><data key="n">Depot</data></node>
<edge source="n0" target="n1"><data key="w">3</data></edge>
<edge source="n1" target="n2"><data key="w">4</data></edge>
<edge source="n0" target="n2"><data key="w">9</data></edge>
</graph>
</graphml>
""",
    ),
]
"""For each kind its title, what to type, and a file."""

WIDTH, HEIGHT, GAP, LINE, LINES, CHARACTERS = 428, 142, 12, 17, 4, 54


def panel(number, title, typed, content, x, y):
    """Draw the first lines of a file, and what to type below them."""
    yield f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    yield f'<text class="title" x="{x + 14}" y="{y + 22}">{number}. {escape(title)}</text>'
    lines = content.splitlines()
    for k, line in enumerate(lines[:LINES]):
        shown = line.expandtabs(8)
        shown = shown if len(shown) <= CHARACTERS else f"{shown[: CHARACTERS - 1]}…"
        text = escape(shown).replace(" ", "\N{NO-BREAK SPACE}")
        yield f'<text x="{x + 14}" y="{y + 45 + k * LINE}">{text}</text>'
    typed = escape(typed).replace(" ", "\N{NO-BREAK SPACE}")
    yield f'<text class="typed" x="{x + 14}" y="{y + HEIGHT - 14}">{typed}</text>'


def picture():
    """Draw all kinds as an SVG in two columns."""
    width, height = 2 * WIDTH + 3 * GAP, GAP + (HEIGHT + GAP) * len(KINDS) // 2
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="First lines of ten kinds of files, and what to type">'
    )
    yield """<style>
  rect { fill: #f6f6f6; stroke: #cccccc; }
  text { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; fill: #1a1a1a; }
  .title { font: bold 13px system-ui, "DejaVu Sans", sans-serif; }
  .typed { font-weight: bold; fill: #0a5f6e; }
</style>"""
    yield f'<rect width="{width}" height="{height}" style="fill: white; stroke: none"/>'
    for k, kind in enumerate(KINDS):
        row, column = divmod(k, 2)
        yield from panel(k + 1, *kind, GAP + column * (WIDTH + GAP), GAP + row * (HEIGHT + GAP))
    yield "</svg>\n"


if __name__ == "__main__":
    for _, typed, content in KINDS:
        Path(typed.split()[2]).write_text(content, encoding="utf-8")
        print(typed)
    Path("first_lines.svg").write_text("\n".join(picture()), encoding="utf-8")
