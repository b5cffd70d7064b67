<?php

use Illuminate\Http\Client\PendingRequest;
use Illuminate\Http\Client\Response;
use Illuminate\Support\Facades\Http;

/** A request with its time-outs, and with the token after the first call. */
function wajah(): PendingRequest
{
    static $token = null;
    $request = fn () => Http::baseUrl(getenv('URL'))->withOptions(['connect_timeout' => 5])->timeout(60);
    $token ??= answer(fn () => $request()->asForm()->post('/oauth/client/token', [
        'client_id' => getenv('CLIENT'),
        'password' => getenv('PASSWORD'),
    ]))['access_token'];

    return $request()->withHeaders(['Accesstoken' => $token]);
}

/**
 * The fields of the answer to a call; a refusal that is not accepted is an exception. A call that is answered 429 or 503
 * was not done: it is repeated after the seconds of Retry-After, four tries in all.
 */
function answer(callable $call, array $accepted = []): array
{
    for ($try = 1; ; $try++) {
        /** @var Response $response */
        $response = $call();
        $wait = (int) ($response->header('Retry-After') ?: 1);
        if (!in_array($response->status(), [429, 503], true) || $try === 4 || $wait > 60) {
            break;
        }
        sleep($wait);
    }
    $answer = $response->json() ?? ['status' => "HTTP {$response->status()}", 'detail' => $response->body()];
    // A token has no status.
    $status = isset($answer['access_token']) ? '200' : $answer['status'] ?? 'no answer of Wajah:';
    if ($status !== '200' && !in_array($status, $accepted, true)) {
        throw new RuntimeException("$status " . ($answer['detail'] ?? $response->body()));
    }

    return $answer;
}

function withPicture(string $name): PendingRequest
{
    return wajah()->attach('image', file_get_contents($name), $name);
}

// 417: the gallery exists. 409: the person is enrolled.
$gallery = ['facegallery_id' => 'staff'];
answer(fn () => wajah()->post('/face-api/facegallery/create-facegallery', $gallery), ['417']);

$person = $gallery + ['user_id' => '3174001'];
$named = $person + ['user_name' => 'Sri Rahayu'];
$enrolled = answer(fn () => withPicture('sri-1.jpg')->post('/face-api/facegallery/enroll-face', $named), ['409']);
echo 'enrolled: ' . ($enrolled['status'] === '200' ? 'now' : 'before') . "\n";

$verified = answer(fn () => withPicture('sri-2.jpg')->post('/face-api/facegallery/verify-face', $person));
echo 'verified: ' . json_encode($verified['verified']) . "\n";

// 411 is an answer: nobody of the gallery is on the picture.
foreach (['sri-2.jpg', 'darma.jpg'] as $name) {
    $found = answer(fn () => withPicture($name)->post('/face-api/facegallery/identify-face', $gallery), ['411']);
    echo "$name: " . ($found['return'][0]['user_name'] ?? 'not recognised') . "\n";
}

// A liveness session that the server shows: the person opens the link. A worker of the queue waits for the result, or
// the webhook liveness.passed tells it.
$session = answer(fn () => wajah()->post('/liveness-api/create-session', $person + ['hosted' => true]));
echo "open: {$session['url']}\n";
$until = time() + (int) (getenv('WAIT') ?: 600);
while (true) {
    $one = ['session_id' => $session['session_id']];
    $result = answer(fn () => wajah()->post('/liveness-api/get-session', $one));
    if (!in_array($result['state'], ['waiting', 'open'], true) || time() >= $until) {
        break;
    }
    sleep(2);
}
echo "liveness: {$result['state']}\n";
if ($result['state'] === 'passed') {
    // The token is good for one call about the face that passed.
    $live = $person + ['liveness_token' => $result['liveness_token']];
    $verified = answer(fn () => withPicture('sri-2.jpg')->post('/face-api/facegallery/verify-face', $live));
    echo 'verified live: ' . json_encode($verified['verified']) . "\n";
}
