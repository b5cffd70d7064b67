#!/bin/sh
# Needs curl and jq.
set -eu

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# Calls a path with the arguments of curl, and prints the answer if its status is one of the first argument; another one
# is printed as an error and ends the program. After 429, 503 and faults that may pass curl waits for the seconds of
# Retry-After, and tries again.
call() {
  statuses=$1
  path=$2
  shift 2
  curl -sS --connect-timeout 5 --max-time 60 --retry 3 --retry-max-time 60 -o "$answer" "$URL$path" "$@"
  # A token has no status.
  status=$(jq -r 'if .access_token then "200" else .status // "no answer of Wajah:" end' "$answer")
  case " $statuses " in
    *" $status "*) cat "$answer" ;;
    *) jq -r --arg status "$status" '"\($status) \(.detail // .)"' "$answer" >&2; exit 1 ;;
  esac
}

login=$(call 200 /oauth/client/token -d client_id="$CLIENT" --data-urlencode password="$PASSWORD")
token="Accesstoken: $(echo "$login" | jq -r .access_token)"

# 417: the gallery exists. 409: the person is enrolled.
call "200 417" /face-api/facegallery/create-facegallery -H "$token" -d '{"facegallery_id":"staff"}' > /dev/null
enrolled=$(call "200 409" /face-api/facegallery/enroll-face -H "$token" -F facegallery_id=staff -F user_id=3174001 \
  -F user_name='Sri Rahayu' -F image=@sri-1.jpg)
echo "$enrolled" | jq -r '"enrolled: " + if .status == "200" then "now" else "before" end'

verified=$(call 200 /face-api/facegallery/verify-face -H "$token" -F facegallery_id=staff -F user_id=3174001 \
  -F image=@sri-2.jpg)
echo "$verified" | jq -r '"verified: \(.verified)"'

# 411 is an answer: nobody of the gallery is on the picture.
for picture in sri-2.jpg darma.jpg; do
  found=$(call "200 411" /face-api/facegallery/identify-face -H "$token" -F facegallery_id=staff -F image=@$picture)
  echo "$found" | jq -r --arg picture "$picture" '"\($picture): \(.return[0].user_name // "not recognised")"'
done

# A liveness session that the server shows: the person opens the link, and this program waits for the result.
session=$(call 200 /liveness-api/create-session -H "$token" \
  -d '{"hosted":true,"facegallery_id":"staff","user_id":"3174001"}')
echo "$session" | jq -r '"open: \(.url)"'
until=$(($(date +%s) + ${WAIT:-600}))
while :; do
  result=$(call 200 /liveness-api/get-session -H "$token" -d "$(echo "$session" | jq '{session_id}')")
  state=$(echo "$result" | jq -r .state)
  case $state in waiting | open) ;; *) break ;; esac
  [ "$(date +%s)" -lt "$until" ] || break
  sleep 2
done
echo "liveness: $state"
if [ "$state" = passed ]; then
  # The token is good for one call about the face that passed.
  live=$(call 200 /face-api/facegallery/verify-face -H "$token" -F facegallery_id=staff -F user_id=3174001 \
    -F image=@sri-2.jpg -F "liveness_token=$(echo "$result" | jq -r .liveness_token)")
  echo "$live" | jq -r '"verified live: \(.verified)"'
fi
