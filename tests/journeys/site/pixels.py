"""What stands in the pixels of a screenshot, when what is asked is what an eye sees."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator

Pixels = NDArray[np.float64]


def shot(place: Locator) -> Pixels:
    """The pixels of an element: (height, width, 3), from 0 to 1."""
    place.scroll_into_view_if_needed()
    picture = Image.open(io.BytesIO(place.screenshot())).convert("RGB")
    return np.asarray(picture, dtype=np.float64) / 255


def luminance(pixels: Pixels) -> Pixels:
    """The relative luminance of WCAG of each pixel."""
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    weights = np.array([0.2126, 0.7152, 0.0722])
    return np.asarray(linear @ weights)


def contrast(pixels: Pixels) -> float:
    """The contrast between the lightest and the darkest pixel, from 1 to 21."""
    light = luminance(pixels)
    return float((light.max() + 0.05) / (light.min() + 0.05))


def solid(pixels: Pixels) -> Pixels:
    """The colour that most pixels have which are not of the ground, which the first pixel shows."""
    flat = pixels.reshape(-1, 3)
    drawn = flat[np.abs(flat - flat[0]).max(axis=1) > 0.3]
    colours, counts = np.unique(drawn.round(3), axis=0, return_counts=True)
    return np.asarray(colours[counts.argmax()])


def distance(one: Pixels, other: Pixels) -> float:
    """How far apart two colours are to the eye: 100 times their distance in OKLab."""
    return float(100 * np.linalg.norm(_oklab(one) - _oklab(other)))


def stripes(pixels: Pixels) -> int:
    """How often light and dark change along the middle row: 0 for a plain fill."""
    row = luminance(pixels)[pixels.shape[0] // 2]
    dark = row < (row.max() + row.min()) / 2
    return int(np.count_nonzero(dark[1:] != dark[:-1])) if row.max() - row.min() > 0.1 else 0


def _oklab(colour: Pixels) -> Pixels:
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    to_lms = np.array(
        [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]],
    )
    to_lab = np.array(
        [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]],
    )
    return np.asarray(to_lab @ np.cbrt(to_lms @ linear))
