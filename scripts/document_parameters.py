"""Write the parameter table into docs/node.md and config/detector.yaml (make docs)."""

from pathlib import Path

from dla_ros.cli.parameters import to_markdown, to_yaml

HOME = Path(__file__).resolve().parents[1]
START, END = '<!-- dla_ros parameters -->\n', '<!-- end -->'


def main() -> None:
    """Replace what stands between the marks, and the whole parameter file."""
    page = HOME / 'docs' / 'node.md'
    before, _, rest = page.read_text().partition(START)
    after = rest.partition(END)[2]
    page.write_text(before + START + to_markdown() + END + after)
    (HOME / 'config' / 'detector.yaml').write_text(to_yaml())


if __name__ == '__main__':
    main()
