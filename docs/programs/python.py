import os
from pathlib import Path

import requests

url, client, password = (os.environ[name] for name in ("URL", "CLIENT", "PASSWORD"))
http = requests.Session()


def call(path, fields, **pictures):
    """Posts fields, as a form if there are pictures, and returns the answer; a refusal ends the program."""
    files = {name: Path(picture).read_bytes() for name, picture in pictures.items()}
    answer = http.post(url + path, **({"data": fields, "files": files} if files else {"json": fields})).json()
    if answer.get("status", "200") != "200":
        raise SystemExit(f"{answer['status']} {answer['detail']}")
    return answer


login = call("/oauth/client/token", {"client_id": client, "password": password})
http.headers["Accesstoken"] = login["access_token"]

gallery = {"facegallery_id": "staff"}
call("/face-api/facegallery/create-facegallery", gallery)

person = {**gallery, "user_id": "3174001"}
enrolled = call("/face-api/facegallery/enroll-face", {**person, "user_name": "Sri Rahayu"}, image="sri-1.jpg")
print("enrolled:", enrolled["status"])

verified = call("/face-api/facegallery/verify-face", person, image="sri-2.jpg")
print("verified:", str(verified["verified"]).lower())

identified = call("/face-api/facegallery/identify-face", gallery, image="sri-2.jpg")
print("identified:", identified["return"][0]["user_name"])

# A liveness session: the camera takes a picture of each step.
session = call("/liveness-api/create-session", {"steps": 3})
steps = dict(enumerate(session["steps"]))
fields = {"session_id": session["session_id"], **{f"frames[{i}].step": step for i, step in steps.items()}}
frames = {f"frames[{i}].image": f"camera/{step} {i + 1}.jpg" for i, step in steps.items()}
judged = call("/liveness-api/submit-session", fields, **frames)
print("liveness:", judged["liveness"])
