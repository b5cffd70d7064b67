import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const libraries = ['okhttp', 'okio', 'gson', 'kotlin-stdlib'].map((name) => `/usr/share/java/${name}.jar`);

const annotations = ['POST', 'Multipart', 'Part', 'PartMap', 'Body', 'Header'];

const retrofit = `package retrofit2;
import com.google.gson.Gson;
import java.lang.annotation.Annotation;
import java.lang.reflect.*;
import java.util.*;
import okhttp3.*;
import retrofit2.http.*;

public final class Retrofit {
  private static final MediaType JSON = MediaType.parse("application/json; charset=UTF-8");
  private final Gson gson = new Gson();
  private final String base;
  private final OkHttpClient client;
  private Retrofit(String base, OkHttpClient client) { this.base = base; this.client = client; }

  public static final class Builder {
    private String base;
    private OkHttpClient client = new OkHttpClient();
    public Builder baseUrl(String url) { base = url; return this; }
    public Builder client(OkHttpClient given) { client = given; return this; }
    public Builder addConverterFactory(Object factory) { return this; }
    public Retrofit build() { return new Retrofit(base, client); }
  }

  @SuppressWarnings("unchecked")
  public <T> T create(Class<T> service) {
    Class<?>[] types = { service };
    return (T) Proxy.newProxyInstance(service.getClassLoader(), types, (proxy, method, given) -> call(method, given));
  }

  private Call<Object> call(Method method, Object[] given) {
    Request.Builder request = new Request.Builder().url(base + method.getAnnotation(POST.class).value());
    MultipartBody.Builder form = new MultipartBody.Builder().setType(MultipartBody.FORM);
    for (int i = 0; i < given.length; i++) {
      for (Annotation mark : method.getParameterAnnotations()[i]) {
        if (mark instanceof Header) request.header(((Header) mark).value(), (String) given[i]);
        if (mark instanceof Body) request.post(RequestBody.create(JSON, gson.toJson(given[i])));
        if (mark instanceof PartMap) ((Map<String, RequestBody>) given[i]).forEach((name, body) -> form.addFormDataPart(name, null, body));
        if (mark instanceof Part) for (Object part : given[i] instanceof List ? (List<?>) given[i] : List.of(given[i])) form.addPart((MultipartBody.Part) part);
      }
    }
    if (method.isAnnotationPresent(Multipart.class)) request.post(form.build());
    Type type = ((ParameterizedType) method.getGenericReturnType()).getActualTypeArguments()[0];
    return new Call<Object>() {
      public Response<Object> execute() throws java.io.IOException {
        okhttp3.Response answer = client.newCall(request.build()).execute();
        String text = answer.body().string();
        return answer.isSuccessful()
          ? new Response<>(answer, gson.fromJson(text, type), null)
          : new Response<>(answer, null, ResponseBody.create(JSON, text));
      }
      public Call<Object> clone() { return this; }
    };
  }
}
`;

const call = `package retrofit2;
public interface Call<T> extends Cloneable {
  Response<T> execute() throws java.io.IOException;
  Call<T> clone();
}
`;

const response = `package retrofit2;
public final class Response<T> {
  private final okhttp3.Response raw;
  private final T body;
  private final okhttp3.ResponseBody error;
  Response(okhttp3.Response raw, T body, okhttp3.ResponseBody error) { this.raw = raw; this.body = body; this.error = error; }
  public int code() { return raw.code(); }
  public okhttp3.Headers headers() { return raw.headers(); }
  public T body() { return body; }
  public okhttp3.ResponseBody errorBody() { return error; }
}
`;

const converter = `package retrofit2.converter.gson;
public final class GsonConverterFactory { public static GsonConverterFactory create() { return new GsonConverterFactory(); } }
`;

const annotation = (name: string) => `package retrofit2.http;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface ${name} { String value() default ""; }
`;

/**
 * Compiles a Kotlin program that uses Retrofit. Retrofit is not in Debian: a stand-in reads its annotations and calls
 * with the real OkHttp and Gson.
 * @returns the command that runs it
 */
export async function compileRetrofit(program: string, folder: string): Promise<string[]> {
  const sources = Object.entries({
    Retrofit: retrofit,
    Call: call,
    Response: response,
    'converter/gson/GsonConverterFactory': converter,
    ...Object.fromEntries(annotations.map((name) => [`http/${name}`, annotation(name)])),
  }).map(([name, text]) => {
    const path = join(folder, 'java/retrofit2', `${name}.java`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  });
  const classes = join(folder, 'classes');
  const path = [classes, ...libraries].join(':');
  await run('javac', ['-nowarn', '-cp', libraries.join(':'), '-d', classes, ...sources]);
  await run('kotlinc', ['-nowarn', '-cp', path, '-d', classes, program]);
  return ['java', '-cp', path, 'KotlinKt'];
}
