import 'dart:convert';
import 'dart:io';

import 'package:http/http.dart' as http;

final url = Platform.environment['URL']!;
String? token;

/// Posts fields as JSON, or as a form if there are pictures (paths by field); a refusal is an exception.
Future<Map<String, dynamic>> call(
  String path,
  Map<String, String> fields, {
  Map<String, String> pictures = const {},
}) async {
  final uri = Uri.parse('$url$path');
  final headers = {if (token != null) 'Accesstoken': token!};
  http.Response response;
  if (pictures.isEmpty) {
    headers['Content-Type'] = 'application/json';
    response = await http.post(uri, headers: headers, body: jsonEncode(fields));
  } else {
    final request = http.MultipartRequest('POST', uri);
    request.headers.addAll(headers);
    request.fields.addAll(fields);
    for (final picture in pictures.entries) {
      request.files.add(await http.MultipartFile.fromPath(picture.key, picture.value));
    }
    response = await http.Response.fromStream(await request.send());
  }
  final answer = jsonDecode(response.body) as Map<String, dynamic>;
  if ((answer['status'] ?? '200') != '200') {
    throw Exception('${answer['status']} ${answer['detail']}');
  }
  return answer;
}

Future<void> main() async {
  final env = Platform.environment;
  final login = {'client_id': env['CLIENT']!, 'password': env['PASSWORD']!};
  token = (await call('/oauth/client/token', login))['access_token'] as String;

  final gallery = {'facegallery_id': 'staff'};
  await call('/face-api/facegallery/create-facegallery', gallery);

  final person = {...gallery, 'user_id': '3174001'};
  final portrait = {...person, 'user_name': 'Sri Rahayu'};
  final enrolled = await call('/face-api/facegallery/enroll-face', portrait, pictures: {'image': 'sri-1.jpg'});
  print('enrolled: ${enrolled['status']}');

  final verified = await call('/face-api/facegallery/verify-face', person, pictures: {'image': 'sri-2.jpg'});
  print('verified: ${verified['verified']}');

  final identified = await call('/face-api/facegallery/identify-face', gallery, pictures: {'image': 'sri-2.jpg'});
  print('identified: ${identified['return'][0]['user_name']}');

  // A liveness session: the camera takes a picture of each step.
  final session = await call('/liveness-api/create-session', {'steps': '3'});
  final fields = {'session_id': session['session_id'] as String};
  final frames = <String, String>{};
  final steps = List<String>.from(session['steps'] as List);
  for (var i = 0; i < steps.length; i++) {
    fields['frames[$i].step'] = steps[i];
    frames['frames[$i].image'] = 'camera/${steps[i]} ${i + 1}.jpg';
  }
  final judged = await call('/liveness-api/submit-session', fields, pictures: frames);
  print('liveness: ${judged['liveness']}');
}
