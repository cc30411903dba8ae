const readme = `# tally

Counts the words of text files.

## Install

    pip install tally

## Use

    tally notes.txt letters/*.txt

prints one line a file and a total. \`--top 10\` adds the ten most frequent words.
`;

const manifest = `[project]
name = "tally"
version = "0.3.0"
description = "Counts the words of text files."
readme = "README.md"
requires-python = ">=3.10"
license = "MIT"

[project.scripts]
tally = "tally:main"

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
`;

const source = `"""Counts the words of text files."""

import argparse
import re
from collections import Counter
from pathlib import Path

WORD = re.compile(r"[^\\W\\d_]+(?:['’][^\\W\\d_]+)?")


def words(text: str) -> Counter[str]:
    """The words of a text, in lower case, with how often each occurs."""
    return Counter(match.group().lower() for match in WORD.finditer(text))


def report(counts: dict[Path, Counter[str]], top: int) -> str:
    """One line a file, a total, and the \`top\` most frequent words of all files."""
    total: Counter[str] = Counter()
    lines = []
    for path, counter in counts.items():
        lines.append(f"{counter.total():8}  {path}")
        total.update(counter)
    lines.append(f"{total.total():8}  total")
    lines.extend(f"{number:8}  {word}" for word, number in total.most_common(top))
    return "\\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--top", type=int, default=0, help="also print the most frequent words")
    options = parser.parse_args()
    print(report({path: words(path.read_text()) for path in options.files}, options.top))
`;

const test = `from tally import words


def test_counts_without_case():
    assert words("Tide and tide") == {"tide": 2, "and": 1}


def test_keeps_apostrophes():
    assert words("don't") == {"don't": 1}
`;

/** A repository of five small files, which fits any usual budget whole. Pairs of path and content. */
export function fiveFileRepository() {
  return [
    ['README.md', readme],
    ['pyproject.toml', manifest],
    ['tally.py', source],
    ['tests/test_tally.py', test],
    ['.gitignore', '__pycache__/\ndist/\n'],
  ];
}
