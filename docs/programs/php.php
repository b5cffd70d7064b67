<?php

/** Posts fields: an array with files as a form, or a text as JSON. A refusal ends the program. */
function call(string $path, array|string $fields, array $headers = []): array
{
    $curl = curl_init(getenv('URL') . $path);
    curl_setopt_array($curl, [
        CURLOPT_POSTFIELDS => $fields,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $body = curl_exec($curl);
    if ($body === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $answer = json_decode($body, true);
    if (($answer['status'] ?? '200') !== '200') {
        throw new RuntimeException("{$answer['status']} {$answer['detail']}");
    }

    return $answer;
}

$login = json_encode(['client_id' => getenv('CLIENT'), 'password' => getenv('PASSWORD')]);
$token = call('/oauth/client/token', $login, ['Content-Type: application/json'])['access_token'];
$form = ["Accesstoken: $token"];
$json = ["Accesstoken: $token", 'Content-Type: application/json'];

call('/face-api/facegallery/create-facegallery', json_encode(['facegallery_id' => 'staff']), $json);

$person = ['facegallery_id' => 'staff', 'user_id' => '3174001'];
$portrait = ['user_name' => 'Sri Rahayu', 'image' => new CURLFile('sri-1.jpg')];
$enrolled = call('/face-api/facegallery/enroll-face', $person + $portrait, $form);
echo "enrolled: {$enrolled['status']}\n";

$picture = ['image' => new CURLFile('sri-2.jpg')];
$verified = call('/face-api/facegallery/verify-face', $person + $picture, $form);
echo 'verified: ' . json_encode($verified['verified']) . "\n";

$identified = call('/face-api/facegallery/identify-face', ['facegallery_id' => 'staff'] + $picture, $form);
echo "identified: {$identified['return'][0]['user_name']}\n";

// A liveness session: the camera takes a picture of each step.
$session = call('/liveness-api/create-session', json_encode(['steps' => 3]), $json);
$fields = ['session_id' => $session['session_id']];
foreach ($session['steps'] as $i => $step) {
    $fields["frames[$i].step"] = $step;
    $fields["frames[$i].image"] = new CURLFile("camera/$step " . ($i + 1) . '.jpg');
}
$judged = call('/liveness-api/submit-session', $fields, $form);
echo "liveness: {$judged['liveness']}\n";
