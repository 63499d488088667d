"""Every swap of the last seven days of a token as a pandas DataFrame, printed by the hour and written to a file.

    pip install pandas httpx            # and pyarrow for a file that ends with .parquet
    API=http://127.0.0.1:4100 KEY=… PYTHONPATH=clients/python/src python3 examples/swaps_to_pandas.py 0x… swaps.csv
"""

import os
import sys
import time

import pandas as pd
from z100 import Client

WEEK_SECONDS = 7 * 86_400


def read_swaps(client: Client, token: str) -> pd.DataFrame:
    """All swaps of the week, oldest first, with their time as the index; the client follows the pages."""
    since = time.time() - WEEK_SECONDS
    rows = []
    for swap in client.tokens.swaps(token, limit=100):
        if swap["timestamp"] < since:
            break
        rows.append(swap)
    frame = pd.DataFrame(rows).drop_duplicates(["block_number", "log_index"])
    frame["datetime"] = pd.to_datetime(frame["datetime"], utc=True)
    return frame.set_index("datetime").sort_values(["block_number", "log_index"])


def main() -> None:
    token, file = sys.argv[1:3]
    client = Client(os.environ.get("API", "http://127.0.0.1:4100"), os.environ["KEY"])
    swaps = read_swaps(client, token)
    by_hour = swaps.groupby(pd.Grouper(freq="h")).agg(
        trades=("volume_usd", "size"), volume_usd=("volume_usd", "sum"), traders=("trader", "nunique")
    )
    print(by_hour[by_hour["trades"] > 0].to_string())
    print(f"{len(swaps)} swaps, ${swaps['volume_usd'].sum():,.2f}")
    flat = swaps.drop(columns=[name for name in swaps if swaps[name].map(type).isin([dict, list]).any()])
    flat.to_parquet(file) if file.endswith(".parquet") else flat.to_csv(file)


main()
