import 'dart:convert';
import 'dart:io';

import 'package:http/http.dart' as http;
import 'package:http/io_client.dart';

final url = Platform.environment['URL']!;
final client = IOClient(HttpClient()..connectionTimeout = const Duration(seconds: 5));
String? token;

/// Posts fields as JSON, or as a form if there is a picture (a path). A refusal that is not accepted is an exception. A
/// call that is answered 429 or 503 was not done: it is repeated after the seconds of Retry-After, four tries in all.
Future<Map<String, dynamic>> call(
  String path,
  Map<String, dynamic> fields, {
  String? image,
  List<String> accepted = const [],
}) async {
  late http.Response response;
  for (var attempt = 1; ; attempt++) {
    final request = await requestOf(Uri.parse('$url$path'), fields, image);
    response = await client
        .send(request)
        .then(http.Response.fromStream)
        .timeout(const Duration(seconds: 60));
    final wait = int.tryParse(response.headers['retry-after'] ?? '') ?? 1;
    if (![429, 503].contains(response.statusCode) || attempt == 4 || wait > 60) break;
    await Future<void>.delayed(Duration(seconds: wait));
  }
  final Map<String, dynamic> answer;
  try {
    answer = jsonDecode(response.body) as Map<String, dynamic>;
  } on FormatException {
    throw Exception('HTTP ${response.statusCode} ${response.body}');
  }
  // A token has no status.
  final status = answer.containsKey('access_token') ? '200' : answer['status'] ?? 'no answer of Wajah:';
  if (status != '200' && !accepted.contains(status)) throw Exception('$status ${answer['detail'] ?? response.body}');
  return answer;
}

Future<http.BaseRequest> requestOf(Uri uri, Map<String, dynamic> fields, String? image) async {
  final headers = {if (token != null) 'Accesstoken': token!};
  if (image == null) {
    return http.Request('POST', uri)
      ..headers.addAll({...headers, 'Content-Type': 'application/json'})
      ..body = jsonEncode(fields);
  }
  return http.MultipartRequest('POST', uri)
    ..headers.addAll(headers)
    ..fields.addAll(fields.map((name, value) => MapEntry(name, '$value')))
    ..files.add(await http.MultipartFile.fromPath('image', image));
}

Future<void> main() async {
  final env = Platform.environment;
  final login = {'client_id': env['CLIENT']!, 'password': env['PASSWORD']!};
  token = (await call('/oauth/client/token', login))['access_token'] as String;

  // 417: the gallery exists. 409: the person is enrolled.
  final gallery = {'facegallery_id': 'staff'};
  await call('/face-api/facegallery/create-facegallery', gallery, accepted: ['417']);

  final person = {...gallery, 'user_id': '3174001'};
  final named = {...person, 'user_name': 'Sri Rahayu'};
  final enrolled =
      await call('/face-api/facegallery/enroll-face', named, image: 'sri-1.jpg', accepted: ['409']);
  print('enrolled: ${enrolled['status'] == '200' ? 'now' : 'before'}');

  var verified = await call('/face-api/facegallery/verify-face', person, image: 'sri-2.jpg');
  print('verified: ${verified['verified']}');

  // 411 is an answer: nobody of the gallery is on the picture.
  for (final image in ['sri-2.jpg', 'darma.jpg']) {
    final found =
        await call('/face-api/facegallery/identify-face', gallery, image: image, accepted: ['411']);
    print('$image: ${found['status'] == '200' ? found['return'][0]['user_name'] : 'not recognised'}');
  }

  // A liveness session that the server shows: the person opens the link, and this program waits for the result.
  final session = await call('/liveness-api/create-session', {...person, 'hosted': true});
  print('open: ${session['url']}');
  final until = DateTime.now().add(Duration(seconds: int.parse(env['WAIT'] ?? '600')));
  Map<String, dynamic> result;
  while (true) {
    result = await call('/liveness-api/get-session', {'session_id': session['session_id']});
    if (!['waiting', 'open'].contains(result['state']) || DateTime.now().isAfter(until)) break;
    await Future<void>.delayed(const Duration(seconds: 2));
  }
  print('liveness: ${result['state']}');
  if (result['state'] == 'passed') {
    // The token is good for one call about the face that passed.
    final live = {...person, 'liveness_token': result['liveness_token']};
    verified = await call('/face-api/facegallery/verify-face', live, image: 'sri-2.jpg');
    print('verified live: ${verified['verified']}');
  }
  client.close();
}
