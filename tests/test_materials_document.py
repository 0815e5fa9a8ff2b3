from __future__ import annotations

import hashlib

import pytest

from games.errors import MaterialsError
from games.materials.document import flatten, read_document, tidy


def test_plain_text_comes_back_as_tidy_lines(tmp_path):
    path = tmp_path / "copy.txt"
    path.write_bytes("\ufeff  One\u00a0 line \r\n\r\n\r\n\r\na \t b\x0c3 ﬁsh\n\n".encode())
    document = read_document(path)
    assert document.lines == ("One line", "", "a\tb", "3 fish")
    assert document.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert str(document.place) == str(path)


def test_html_is_known_by_its_tags_and_flattened(tmp_path):
    path = tmp_path / "copy.bin"
    path.write_text("<h2>D.1 Head</h2><p>a&nbsp;&lt;b&gt;</p>", encoding="utf-8")
    assert read_document(path).lines == ("# D.1 Head", "", "a <b>")


def test_a_comparison_sign_is_not_html(tmp_path):
    path = tmp_path / "copy.txt"
    path.write_text("p<0.05 and q > 3\nx <b", encoding="utf-8")
    assert read_document(path).lines == ("p<0.05 and q > 3", "x <b")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>a\n  b</p><p>c</p>", "a b\n\nc"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<b>a</b>b <i>c</i>", "ab c"),
        ("<ul><li>a</li><li>b</li></ul>", "a\nb"),
        ("<ol><li>a</li><li><p>b</p></li></ol>", "1. a\n\n2. b"),
        ("<ol><li>1. a</li><li>(2) b</li></ol>", "1. a\n(2) b"),
        ("<ol><li>a<ul><li>x</li></ul></li><li>b</li></ol>", "1. a\n\nx\n\n2. b"),
        ("<table><tr><td>a</td><td><p>b</p><p>c</p></td></tr><tr><td>d</table>e", "a\tb c\nd\n\ne"),
        ("<script>x</script><style>y</style><title>z</title>a", "a"),
        ("<math><mi>T</mi><annotation>T_{x}</annotation></math>=1", "T=1"),
        ("<pre>a\n b</pre>c", "a\nb\n\nc"),
        ("</ol></pre></script><li>a", "a"),
        ("<p/>a<script/>b", "ab"),
    ],
)
def test_blocks_stand_on_lines_of_their_own(markup, text):
    assert tidy(flatten(markup)) == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "`copy` must not be empty"),
        (b" \n\t\n", "`copy` must not be empty"),
        (b"<html><body><script>x</script></body></html>", "`copy` must not be empty"),
        (
            b"%PDF-1.7\n\xe2\xe3",
            "`copy` must be plain text or HTML, not a PDF (`pdftotext` makes one from the other)",
        ),
        (b"\x89PNG\r\n\x1a\n\0\0", "`copy` must be plain text or HTML, not binary"),
        ("text".encode("utf-16"), "`copy` must be UTF-8, not UTF-16"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "copy"
    path.write_bytes(content)
    with pytest.raises(MaterialsError) as caught:
        read_document(path)
    assert str(caught.value) == f"{path}: {message}"


def test_another_encoding_is_refused_with_its_line(tmp_path):
    path = tmp_path / "copy.txt"
    path.write_bytes("eins\nzwei\ndrei für\n".encode("latin-1"))
    with pytest.raises(MaterialsError) as caught:
        read_document(path)
    assert str(caught.value) == f"{path}:3: `copy.txt` must be UTF-8"


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(MaterialsError, match=r"`gone\.txt` is missing"):
        read_document(tmp_path / "gone.txt")
    with pytest.raises(MaterialsError, match="must be a file"):
        read_document(tmp_path)


def test_a_file_that_the_system_withholds_is_refused(tmp_path):
    with pytest.raises(MaterialsError, match=r"must be readable \(.+\)"):
        read_document(tmp_path / ("x" * 300))
