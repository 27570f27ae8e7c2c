"""The pictures for documents: a lit dot is bright, a dark one dark, and every file is a picture."""

from PIL import Image

from deploy import pictures
from drivers.dots import ROWS
from firmware_py.digits import bar
from firmware_py.faces import face

BRIGHT, DIM = 200, 140


def middle(x, y):
    return (
        round(pictures.LED_MARGIN + (x + 0.5) * pictures.PITCH),
        round(pictures.LED_MARGIN + (y + 0.5) * pictures.PITCH),
    )


def test_the_picture_of_a_chain_shows_the_dots_that_its_bytes_light():
    shown = pictures.sent(pictures.RUNNING, 4)
    picture = pictures.led(shown)

    assert shown == face(pictures.RUNNING, 4)
    for y in range(ROWS):
        for x in range(shown.width):
            red = picture.getpixel(middle(x, y))[0]
            assert red > BRIGHT if shown.lit(x, y) else red < DIM


def test_the_picture_of_the_prompt_is_white_on_blue():
    colours = pictures.lcd(["M27 piatto 1000", "Tocca 7 Chloé"]).getcolors(1 << 24)

    shades = {colour for _, colour in colours}
    assert any(min(shade) > BRIGHT for shade in shades)
    assert pictures.GLASS in shades


def test_the_picture_of_a_bar_lights_the_segments_that_its_bytes_light():
    shown = pictures.sent_bar(pictures.RUNNING, 1)
    picture = pictures.seven_segment(shown)

    assert shown == bar(pictures.RUNNING, 1)
    for place in range(8):
        left = pictures.LED_MARGIN + place * pictures.DIGIT_STEP + (pictures.DIGIT_STEP - pictures.DIGIT_WIDE) / 2 - 3
        for bit, (x0, y0, x1, y1) in enumerate(pictures._segments(left, pictures.LED_MARGIN)):
            red = picture.getpixel((round((x0 + x1) / 2), round((y0 + y1) / 2)))[0]
            assert red > BRIGHT if shown.lit(7 - place, bit) else red < DIM


def test_every_face_has_a_name_of_its_own_and_the_sheet_names_faces_there_are():
    names = [shot.name for shot in pictures.FACES]

    assert len(set(names)) == len(names)
    assert set(names) >= pictures.SHEET


def test_pictures_are_written_as_png(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "FACES", pictures.FACES[:1])
    monkeypatch.setattr(pictures, "DIGIT_FACES", pictures.DIGIT_FACES[:1])
    monkeypatch.setattr(pictures, "CHAINS", (4,))
    monkeypatch.setattr(pictures, "PROMPTS", pictures.PROMPTS[:1])

    written = pictures.draw_all(tmp_path / "new" / "folder")

    assert [path.name for path in written] == ["led-faces.png", "faces-4.png", "digits.png", "prompt-turn.png"]
    for path in written:
        with Image.open(path) as picture:
            assert picture.format == "PNG"
