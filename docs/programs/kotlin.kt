import java.io.File
import okhttp3.MediaType
import okhttp3.MultipartBody
import okhttp3.RequestBody
import retrofit2.Call
import retrofit2.Retrofit
import retrofit2.converter.gson.GsonConverterFactory
import retrofit2.http.Body
import retrofit2.http.Header
import retrofit2.http.Multipart
import retrofit2.http.POST
import retrofit2.http.Part
import retrofit2.http.PartMap

// Gson fills the fields by their names.
class Login(val client_id: String, val password: String)
class Token(val access_token: String)
class Gallery(val facegallery_id: String)
class NewSession(val steps: Int)
class Person(val user_id: String, val user_name: String)
class Session(val session_id: String, val steps: List<String>)
class Done(val status: String)
class Verified(val status: String, val verified: Boolean)
class Identified(val status: String, val `return`: List<Person>)
class Judged(val status: String, val liveness: String)

interface Wajah {
    @POST("oauth/client/token")
    fun token(@Body login: Login): Call<Token>

    @POST("face-api/facegallery/create-facegallery")
    fun createGallery(@Header("Accesstoken") token: String, @Body gallery: Gallery): Call<Done>

    @Multipart
    @POST("face-api/facegallery/enroll-face")
    fun enrol(
        @Header("Accesstoken") token: String,
        @PartMap fields: Map<String, @JvmSuppressWildcards RequestBody>,
        @Part image: MultipartBody.Part
    ): Call<Done>

    @Multipart
    @POST("face-api/facegallery/verify-face")
    fun verify(
        @Header("Accesstoken") token: String,
        @PartMap fields: Map<String, @JvmSuppressWildcards RequestBody>,
        @Part image: MultipartBody.Part
    ): Call<Verified>

    @Multipart
    @POST("face-api/facegallery/identify-face")
    fun identify(
        @Header("Accesstoken") token: String,
        @PartMap fields: Map<String, @JvmSuppressWildcards RequestBody>,
        @Part image: MultipartBody.Part
    ): Call<Identified>

    @POST("liveness-api/create-session")
    fun createSession(@Header("Accesstoken") token: String, @Body session: NewSession): Call<Session>

    @Multipart
    @POST("liveness-api/submit-session")
    fun submitSession(
        @Header("Accesstoken") token: String,
        @PartMap fields: Map<String, @JvmSuppressWildcards RequestBody>,
        @Part frames: List<MultipartBody.Part>
    ): Call<Judged>
}

fun text(value: String): RequestBody = RequestBody.create(MediaType.parse("text/plain"), value)

fun picture(name: String, path: String): MultipartBody.Part =
    MultipartBody.Part.createFormData(name, "face.jpg", RequestBody.create(MediaType.parse("image/jpeg"), File(path)))

/** The answer; a refusal has a sentence in `detail`. Not on the main thread of an app. */
fun <T> answer(call: Call<T>): T {
    val response = call.execute()
    return response.body() ?: error(response.errorBody()?.string() ?: "no answer")
}

fun main() {
    val wajah = Retrofit.Builder()
        .baseUrl(System.getenv("URL") + "/")
        .addConverterFactory(GsonConverterFactory.create())
        .build()
        .create(Wajah::class.java)
    val token = answer(wajah.token(Login(System.getenv("CLIENT"), System.getenv("PASSWORD")))).access_token
    answer(wajah.createGallery(token, Gallery("staff")))

    val gallery = mapOf("facegallery_id" to text("staff"))
    val person = gallery + ("user_id" to text("3174001"))
    val name = "user_name" to text("Sri Rahayu")
    println("enrolled: " + answer(wajah.enrol(token, person + name, picture("image", "sri-1.jpg"))).status)
    println("verified: " + answer(wajah.verify(token, person, picture("image", "sri-2.jpg"))).verified)
    val found = answer(wajah.identify(token, gallery, picture("image", "sri-2.jpg"))).`return`
    println("identified: " + found.first().user_name)

    // A liveness session: the camera takes a picture of each step.
    val session = answer(wajah.createSession(token, NewSession(3)))
    val steps = session.steps.mapIndexed { i, step -> "frames[$i].step" to text(step) }
    val frames = session.steps.mapIndexed { i, step -> picture("frames[$i].image", "camera/$step ${i + 1}.jpg") }
    val fields = steps.toMap() + ("session_id" to text(session.session_id))
    println("liveness: " + answer(wajah.submitSession(token, fields, frames)).liveness)
}
