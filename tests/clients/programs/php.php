<?php
namespace GuzzleHttp\Psr7 {
    // Of Guzzle 6, for which this generator writes; Guzzle 7 has it as a method.
    function build_query(array $params): string
    {
        return Query::build($params);
    }
}

namespace {
    use OpenAPI\Client\Api\{FaceApi, FacegalleryApi, OauthApi, SystemApi};
    use OpenAPI\Client\{ApiException, Configuration};
    use OpenAPI\Client\Model\{ClientTokenRequest, CreateGalleryRequest, EnrolFaceRequest, IdentifyFaceRequest, VerifyFaceRequest};

    require '/usr/share/php/GuzzleHttp/autoload.php';
    spl_autoload_register(function ($class) {
        include 'client/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    });

    const GALLERY = 'php';
    $picture = fn ($name) => base64_encode(file_get_contents($name));

    $configuration = (new Configuration())->setHost(getenv('URL'));
    $login = new ClientTokenRequest(['client_id' => getenv('CLIENT'), 'password' => getenv('PASSWORD')]);
    $token = (new OauthApi(null, $configuration))->clientToken($login)->getAccessToken();
    $configuration->setApiKey('Accesstoken', $token);
    $galleries = new FacegalleryApi(null, $configuration);
    $faces = new FaceApi(null, $configuration);
    $system = new SystemApi(null, $configuration);

    $galleries->createGallery(new CreateGalleryRequest(['facegallery_id' => GALLERY]));
    $ani = ['facegallery_id' => GALLERY, 'user_id' => 'ani', 'user_name' => 'Ani'];
    $enrolled = $faces->enrolFace(new EnrolFaceRequest($ani + ['image' => $picture('ani.jpg')]));
    echo "enrolled: {$enrolled->getStatus()}\n";
    $verified = $faces->verifyFace(new VerifyFaceRequest($ani + ['image' => $picture('again.jpg')]));
    echo 'verified: ' . json_encode($verified->getVerified()) . "\n";
    foreach (['again.jpg', 'budi.jpg'] as $name) {
        $found = $faces->identifyFace(new IdentifyFaceRequest(['facegallery_id' => GALLERY, 'image' => $picture($name)]));
        echo "$name: {$found->getStatus()}";
        foreach ($found->getReturn() as $one) {
            echo " {$one->getUserName()}";
        }
        echo "\n";
    }
    echo "listed: {$faces->listFaces(GALLERY, 10)->getFaces()[0]->getUserId()}\n";
    echo "workers: {$system->getStatus()->getEngine()->getWorkers()}\n";
    try {
        $faces->enrolFace(new EnrolFaceRequest(['user_id' => 'nobody', 'image' => $picture('nobody.jpg')] + $ani));
    } catch (ApiException $refused) {
        echo "refused: {$refused->getCode()} {$refused->getResponseObject()->getError()}\n";
    }
    echo "deleted: {$galleries->deleteGallery(GALLERY)->getStatus()}\n";
}
