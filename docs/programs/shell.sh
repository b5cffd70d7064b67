#!/bin/sh
# Needs curl and jq.
set -eu

TOKEN=$(curl -s "$URL/oauth/client/token" -d client_id="$CLIENT" --data-urlencode password="$PASSWORD" | jq -r .access_token)

# Calls a path with the arguments of curl; a refusal is printed and ends the program.
call() {
  path=$1
  shift
  answer=$(curl -s "$URL$path" -H "Accesstoken: $TOKEN" "$@")
  [ "$(echo "$answer" | jq -r .status)" = 200 ] || { echo "$answer" | jq -r .detail >&2; exit 1; }
  echo "$answer"
}

call /face-api/facegallery/create-facegallery -d '{"facegallery_id":"staff"}' > /dev/null
call /face-api/facegallery/enroll-face -F facegallery_id=staff -F user_id=3174001 -F user_name='Sri Rahayu' \
  -F image=@sri-1.jpg | jq -r '"enrolled: \(.status)"'
call /face-api/facegallery/verify-face -F facegallery_id=staff -F user_id=3174001 -F image=@sri-2.jpg |
  jq -r '"verified: \(.verified)"'
call /face-api/facegallery/identify-face -F facegallery_id=staff -F image=@sri-2.jpg |
  jq -r '"identified: \(.return[0].user_name)"'

# A liveness session: the camera takes a picture of each step.
session=$(call /liveness-api/create-session -d '{"steps":3}')
set -- -F "session_id=$(echo "$session" | jq -r .session_id)"
number=0
while read -r step; do
  set -- "$@" -F "frames[$number].step=$step" -F "frames[$number].image=@camera/$step $((number + 1)).jpg"
  number=$((number + 1))
done <<STEPS
$(echo "$session" | jq -r '.steps[]')
STEPS
call /liveness-api/submit-session "$@" | jq -r '"liveness: \(.liveness)"'
