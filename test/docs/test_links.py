"""Every page: what it links to is there, and nothing was left to be filled in."""

from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path
    for folder in ('.', 'docs', 'benchmarks', 'models', 'data')
    for path in (ROOT / folder).glob('*.md')
)


@pytest.mark.parametrize('page', PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page):
    links = re.findall(r'\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)', page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize('page', PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nothing_is_left_to_be_filled_in(page):
    assert re.findall(r'^[A-Z_]{6,}$|TODO|FIXME|XXX', page.read_text(), re.MULTILINE) == []


def test_every_page_of_the_documentation_can_be_reached_from_the_readme():
    seen, todo = set(), [ROOT / 'README.md']
    while todo:
        page = todo.pop()
        if page in seen or page.suffix != '.md':
            continue
        seen.add(page)
        links = re.findall(r'\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)', page.read_text())
        todo += [(page.parent / link).resolve() for link in links]
    assert sorted(set((ROOT / 'docs').glob('*.md')) - seen) == []
