"""Reads the tables that foveola exports, as pandas DataFrames. For research use, not a medical device."""

import json
from pathlib import Path

import pandas as pd

__version__ = "0.1.0"


def read_table(path):
    """Returns a CSV or JSON export of foveola as a DataFrame, one row per row of the file.

    Empty fields and null are missing values. ``attrs["header"]`` has the settings of the recording, and
    ``attrs["events"]`` its events. For a CSV they come from the JSON file beside it: ``recording.csv.json``, or
    ``recording.json``. If there is none, the header is the list of comment lines, and the events are missing.

    Raises ValueError if a JSON file is not such a table.
    """
    path = Path(path)
    if path.suffix == ".json":
        return _from_json(path)
    with path.open(encoding="utf-8-sig") as lines:
        header = []
        for line in lines:
            if not line.startswith("#"):
                break
            header.append(line[1:].strip())
    # `comment="#"` would also cut a marker that contains the character, so only the first lines are skipped.
    table = pd.read_csv(path, skiprows=len(header), encoding="utf-8-sig")
    about = path.with_name(path.name + ".json")
    beside = path.with_suffix(".json")
    if about.exists():
        _describe(table, json.loads(about.read_text(encoding="utf-8-sig")))
    elif beside.exists():
        table.attrs.update(_from_json(beside).attrs)
    else:
        table.attrs["header"] = header
    return table


def _describe(table, data):
    table.attrs["header"] = {key: value for key, value in data.items() if key not in ("rows", "events")}
    table.attrs["events"] = data.get("events", [])


def _from_json(path):
    with path.open(encoding="utf-8-sig") as file:
        data = json.load(file)
    if not isinstance(data, dict) or not isinstance(data.get("rows"), list):
        raise ValueError(f"{path}: there is no list of rows. Export the table with exportJson().")
    table = pd.DataFrame(data["rows"])
    _describe(table, data)
    return table
