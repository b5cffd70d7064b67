import com.google.gson.Gson
import java.io.File
import java.util.concurrent.TimeUnit
import okhttp3.MediaType
import okhttp3.MultipartBody
import okhttp3.OkHttpClient
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

// Gson fills the fields by their names; a field that an answer does not have is null.
class Login(val client_id: String, val password: String)
class Gallery(val facegallery_id: String)
class NewSession(val facegallery_id: String, val user_id: String, val hosted: Boolean)
class SessionId(val session_id: String)
class Person(val user_id: String, val user_name: String)
open class Answer(val status: String? = null, val detail: String? = null)
class Token(val access_token: String?) : Answer()
class Verified(val verified: Boolean) : Answer()
class Identified(val `return`: List<Person>?) : Answer()
class Session(val session_id: String, val url: String) : Answer()
class Result(val state: String, val liveness_token: String?) : Answer()

interface Wajah {
    @POST("oauth/client/token")
    fun token(@Body login: Login): Call<Token>

    @POST("face-api/facegallery/create-facegallery")
    fun createGallery(@Header("Accesstoken") token: String, @Body gallery: Gallery): Call<Answer>

    @Multipart
    @POST("face-api/facegallery/enroll-face")
    fun enrol(
        @Header("Accesstoken") token: String,
        @PartMap fields: Map<String, @JvmSuppressWildcards RequestBody>,
        @Part image: MultipartBody.Part
    ): Call<Answer>

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

    @POST("liveness-api/get-session")
    fun session(@Header("Accesstoken") token: String, @Body session: SessionId): Call<Result>
}

fun text(value: String): RequestBody = RequestBody.create(MediaType.parse("text/plain"), value)

fun picture(path: String): MultipartBody.Part =
    MultipartBody.Part.createFormData("image", "face.jpg", RequestBody.create(MediaType.parse("image/jpeg"), File(path)))

/**
 * The answer; null for a refusal of HTTP status 400 or more that is accepted. Another refusal is an error. A call that is
 * answered 429 or 503 was not done: it is repeated after the seconds of Retry-After, four tries in all. Not on the main
 * thread of an app.
 */
fun <T : Answer> answer(call: Call<T>, vararg accepted: String): T? {
    var response = call.execute()
    for (retry in 1..3) {
        val wait = response.headers().get("Retry-After")?.toLongOrNull() ?: 1
        if ((response.code() != 429 && response.code() != 503) || wait > 60) break
        Thread.sleep(wait * 1000)
        response = call.clone().execute()
    }
    val body = response.body()
    val text = response.errorBody()?.string() ?: ""
    val outcome = body ?: runCatching { Gson().fromJson(text, Answer::class.java) }.getOrNull()
    // A token has no status.
    val status = if (outcome is Token && outcome.access_token != null) "200" else outcome?.status ?: "HTTP ${response.code()}"
    if (status != "200" && status !in accepted) error("$status ${outcome?.detail ?: text}")
    return body
}

fun main() {
    val client = OkHttpClient.Builder()
        .connectTimeout(5, TimeUnit.SECONDS)
        .readTimeout(60, TimeUnit.SECONDS)
        .callTimeout(60, TimeUnit.SECONDS)
        .build()
    val wajah = Retrofit.Builder()
        .baseUrl(System.getenv("URL") + "/")
        .client(client)
        .addConverterFactory(GsonConverterFactory.create())
        .build()
        .create(Wajah::class.java)
    val token = answer(wajah.token(Login(System.getenv("CLIENT"), System.getenv("PASSWORD"))))!!.access_token!!

    // 417: the gallery exists. 409: the person is enrolled.
    answer(wajah.createGallery(token, Gallery("staff")), "417")
    val gallery = mapOf("facegallery_id" to text("staff"))
    val person = gallery + ("user_id" to text("3174001"))
    val name = "user_name" to text("Sri Rahayu")
    val enrolled = answer(wajah.enrol(token, person + name, picture("sri-1.jpg")), "409")
    println("enrolled: " + if (enrolled != null) "now" else "before")
    println("verified: " + answer(wajah.verify(token, person, picture("sri-2.jpg")))!!.verified)

    // 411 is an answer: nobody of the gallery is on the picture.
    for (image in listOf("sri-2.jpg", "darma.jpg")) {
        val found = answer(wajah.identify(token, gallery, picture(image)), "411")
        println("$image: " + (found?.`return`?.firstOrNull()?.user_name ?: "not recognised"))
    }

    // A liveness session that the server shows: the person opens the link, and this program waits for the result.
    val session = answer(wajah.createSession(token, NewSession("staff", "3174001", true)))!!
    println("open: " + session.url)
    val until = System.currentTimeMillis() + 1000 * (System.getenv("WAIT")?.toLong() ?: 600)
    var result: Result
    while (true) {
        result = answer(wajah.session(token, SessionId(session.session_id)))!!
        if (result.state !in listOf("waiting", "open") || System.currentTimeMillis() >= until) break
        Thread.sleep(2000)
    }
    println("liveness: " + result.state)
    if (result.state == "passed") {
        // The token is good for one call about the face that passed.
        val live = person + ("liveness_token" to text(result.liveness_token!!))
        println("verified live: " + answer(wajah.verify(token, live, picture("sri-2.jpg")))!!.verified)
    }
}
