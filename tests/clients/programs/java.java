import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

class Use {
  static final String GALLERY = "java";

  static byte[] picture(String name) throws Exception {
    return Files.readAllBytes(Path.of(name));
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> env = System.getenv();
    ApiClient api = new ApiClient();
    URI url = URI.create(env.get("URL"));
    api.setScheme(url.getScheme()).setHost(url.getHost()).setPort(url.getPort());
    ClientTokenRequest login = new ClientTokenRequest().clientId(env.get("CLIENT")).password(env.get("PASSWORD"));
    String token = new OauthApi(api).clientToken(login).getAccessToken();
    api.setRequestInterceptor(request -> request.header("Accesstoken", token));
    FacegalleryApi galleries = new FacegalleryApi(api);
    FaceApi faces = new FaceApi(api);

    galleries.createGallery(new CreateGalleryRequest().facegalleryId(GALLERY));
    EnrolFaceRequest ani = new EnrolFaceRequest().facegalleryId(GALLERY).userId("ani").userName("Ani");
    System.out.println("enrolled: " + faces.enrolFace(ani.image(picture("ani.jpg"))).getStatus());
    VerifyFaceRequest claim = new VerifyFaceRequest().facegalleryId(GALLERY).userId("ani").image(picture("again.jpg"));
    System.out.println("verified: " + faces.verifyFace(claim).getVerified());
    for (String name : List.of("again.jpg", "budi.jpg")) {
      IdentifyFaceAnswer found = faces.identifyFace(new IdentifyFaceRequest().facegalleryId(GALLERY).image(picture(name)));
      String people = found.getReturn().stream().map(one -> " " + one.getUserName()).collect(Collectors.joining());
      System.out.println(name + ": " + found.getStatus() + people);
    }
    ListFacesAnswer listed = faces.listFaces(GALLERY, null, null, 10, null, null);
    System.out.println("listed: " + listed.getFaces().get(0).getUserId());
    System.out.println("workers: " + new SystemApi(api).getStatus(null).getEngine().getWorkers());
    try {
      faces.enrolFace(ani.userId("nobody").image(picture("nobody.jpg")));
    } catch (ApiException refused) {
      Refusal why = api.getObjectMapper().readValue(refused.getResponseBody(), Refusal.class);
      System.out.println("refused: " + refused.getCode() + " " + why.getError());
    }
    System.out.println("deleted: " + galleries.deleteGallery(GALLERY, null).getStatus());
  }
}
