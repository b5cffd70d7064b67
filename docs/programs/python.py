import os
import time
from pathlib import Path

import requests

url, client, password = (os.environ[name] for name in ("URL", "CLIENT", "PASSWORD"))
http = requests.Session()


def call(path, fields, accepted=(), **pictures):
    """Posts fields, as a form if there are pictures, and returns the answer; a refusal that is not accepted ends the
    program. A call that is answered 429 or 503 was not done: it is repeated after the seconds of Retry-After, four
    tries in all."""
    files = {name: Path(picture).read_bytes() for name, picture in pictures.items()}
    body = {"data": fields, "files": files} if files else {"json": fields}
    for tries_left in (3, 2, 1, 0):
        # Seconds to connect, and without a byte of the answer.
        response = http.post(url + path, timeout=(5, 60), **body)
        wait = response.headers.get("Retry-After", "1")
        wait = int(wait) if wait.isdigit() else 1
        if response.status_code not in (429, 503) or tries_left == 0 or wait > 60:
            break
        time.sleep(wait)
    try:
        answer = response.json()
    except ValueError:
        raise SystemExit(f"HTTP {response.status_code} {response.text}")
    # A token has no status.
    status = "200" if "access_token" in answer else answer.get("status", "no answer of Wajah:")
    if status not in ("200", *accepted):
        raise SystemExit(f"{status} {answer.get('detail', response.text)}")
    return answer


login = call("/oauth/client/token", {"client_id": client, "password": password})
http.headers["Accesstoken"] = login["access_token"]

# 417: the gallery exists. 409: the person is enrolled.
gallery = {"facegallery_id": "staff"}
call("/face-api/facegallery/create-facegallery", gallery, accepted=["417"])

person = {**gallery, "user_id": "3174001"}
named = {**person, "user_name": "Sri Rahayu"}
enrolled = call("/face-api/facegallery/enroll-face", named, accepted=["409"], image="sri-1.jpg")
print("enrolled:", "now" if enrolled["status"] == "200" else "before")

verified = call("/face-api/facegallery/verify-face", person, image="sri-2.jpg")
print("verified:", str(verified["verified"]).lower())

# 411 is an answer: nobody of the gallery is on the picture.
for picture in ("sri-2.jpg", "darma.jpg"):
    found = call("/face-api/facegallery/identify-face", gallery, accepted=["411"], image=picture)
    print(f"{picture}:", found["return"][0]["user_name"] if found["status"] == "200" else "not recognised")

# A liveness session that the server shows: the person opens the link, and this program waits for the result.
session = call("/liveness-api/create-session", {**person, "hosted": True})
print("open:", session["url"], flush=True)
until = time.monotonic() + int(os.environ.get("WAIT", "600"))
while True:
    result = call("/liveness-api/get-session", {"session_id": session["session_id"]})
    if result["state"] not in ("waiting", "open") or time.monotonic() >= until:
        break
    time.sleep(2)
print("liveness:", result["state"])
if result["state"] == "passed":
    # The token is good for one call about the face that passed.
    live = {**person, "liveness_token": result["liveness_token"]}
    verified = call("/face-api/facegallery/verify-face", live, image="sri-2.jpg")
    print("verified live:", str(verified["verified"]).lower())
