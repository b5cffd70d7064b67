<?php

use Illuminate\Http\Client\PendingRequest;
use Illuminate\Http\Client\Response;
use Illuminate\Support\Facades\Http;

function wajah(): PendingRequest
{
    static $token = null;
    $token ??= Http::asForm()->post(getenv('URL') . '/oauth/client/token', [
        'client_id' => getenv('CLIENT'),
        'password' => getenv('PASSWORD'),
    ])->throw()->json('access_token');

    return Http::baseUrl(getenv('URL'))->withHeaders(['Accesstoken' => $token]);
}

/** The fields of an answer; a refusal says what was found and what is allowed. */
function answer(Response $response): array
{
    if ($response['status'] !== '200') {
        throw new RuntimeException($response['status'] . ' ' . $response['detail']);
    }

    return $response->json();
}

answer(wajah()->post('/face-api/facegallery/create-facegallery', ['facegallery_id' => 'staff']));

$person = ['facegallery_id' => 'staff', 'user_id' => '3174001'];
$enrolled = answer(wajah()->attach('image', file_get_contents('sri-1.jpg'), 'sri-1.jpg')
    ->post('/face-api/facegallery/enroll-face', $person + ['user_name' => 'Sri Rahayu']));
echo "enrolled: {$enrolled['status']}\n";

$verified = answer(wajah()->attach('image', file_get_contents('sri-2.jpg'), 'sri-2.jpg')
    ->post('/face-api/facegallery/verify-face', $person));
echo 'verified: ' . json_encode($verified['verified']) . "\n";

$identified = answer(wajah()->attach('image', file_get_contents('sri-2.jpg'), 'sri-2.jpg')
    ->post('/face-api/facegallery/identify-face', ['facegallery_id' => 'staff']));
echo "identified: {$identified['return'][0]['user_name']}\n";

// A liveness session: the camera takes a picture of each step.
$session = answer(wajah()->post('/liveness-api/create-session', ['steps' => 3]));
$request = wajah();
$fields = ['session_id' => $session['session_id']];
foreach ($session['steps'] as $i => $step) {
    $fields["frames[$i].step"] = $step;
    $request->attach("frames[$i].image", file_get_contents("camera/$step " . ($i + 1) . '.jpg'), "$i.jpg");
}
$judged = answer($request->post('/liveness-api/submit-session', $fields));
echo "liveness: {$judged['liveness']}\n";
