<?php

/**
 * Posts fields: an array with files as a form, or a text as JSON. A refusal that is not accepted ends the program. A call
 * that is answered 429 or 503 was not done: it is repeated after the seconds of Retry-After, four tries in all.
 */
function call(string $path, array|string $fields, array $headers = [], array $accepted = []): array
{
    for ($try = 1; ; $try++) {
        $wait = 1;
        $curl = curl_init(getenv('URL') . $path);
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => $fields,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT => 5,
            CURLOPT_TIMEOUT => 60,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$wait): int {
                if (preg_match('/^retry-after: *(\d+)/i', $line, $found)) {
                    $wait = (int) $found[1];
                }
                return strlen($line);
            },
        ]);
        $body = curl_exec($curl);
        if ($body === false) {
            throw new RuntimeException(curl_error($curl));
        }
        $http = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if (!in_array($http, [429, 503], true) || $try === 4 || $wait > 60) {
            break;
        }
        sleep($wait);
    }
    $answer = json_decode($body, true) ?? ['status' => "HTTP $http", 'detail' => $body];
    // A token has no status.
    $status = isset($answer['access_token']) ? '200' : $answer['status'] ?? 'no answer of Wajah:';
    if ($status !== '200' && !in_array($status, $accepted, true)) {
        throw new RuntimeException("$status " . ($answer['detail'] ?? $body));
    }

    return $answer;
}

$login = json_encode(['client_id' => getenv('CLIENT'), 'password' => getenv('PASSWORD')]);
$token = call('/oauth/client/token', $login, ['Content-Type: application/json'])['access_token'];
$form = ["Accesstoken: $token"];
$json = ["Accesstoken: $token", 'Content-Type: application/json'];

// 417: the gallery exists. 409: the person is enrolled.
$gallery = ['facegallery_id' => 'staff'];
call('/face-api/facegallery/create-facegallery', json_encode($gallery), $json, ['417']);

$person = $gallery + ['user_id' => '3174001'];
$portrait = ['user_name' => 'Sri Rahayu', 'image' => new CURLFile('sri-1.jpg')];
$enrolled = call('/face-api/facegallery/enroll-face', $person + $portrait, $form, ['409']);
echo 'enrolled: ' . ($enrolled['status'] === '200' ? 'now' : 'before') . "\n";

$picture = ['image' => new CURLFile('sri-2.jpg')];
$verified = call('/face-api/facegallery/verify-face', $person + $picture, $form);
echo 'verified: ' . json_encode($verified['verified']) . "\n";

// 411 is an answer: nobody of the gallery is on the picture.
foreach (['sri-2.jpg', 'darma.jpg'] as $name) {
    $fields = $gallery + ['image' => new CURLFile($name)];
    $found = call('/face-api/facegallery/identify-face', $fields, $form, ['411']);
    echo "$name: " . ($found['return'][0]['user_name'] ?? 'not recognised') . "\n";
}

// A liveness session that the server shows: the person opens the link, and this program waits for the result.
$session = call('/liveness-api/create-session', json_encode($person + ['hosted' => true]), $json);
echo "open: {$session['url']}\n";
$until = time() + (int) (getenv('WAIT') ?: 600);
while (true) {
    $result = call('/liveness-api/get-session', json_encode(['session_id' => $session['session_id']]), $json);
    if (!in_array($result['state'], ['waiting', 'open'], true) || time() >= $until) {
        break;
    }
    sleep(2);
}
echo "liveness: {$result['state']}\n";
if ($result['state'] === 'passed') {
    // The token is good for one call about the face that passed.
    $live = $person + $picture + ['liveness_token' => $result['liveness_token']];
    $verified = call('/face-api/facegallery/verify-face', $live, $form);
    echo 'verified live: ' . json_encode($verified['verified']) . "\n";
}
