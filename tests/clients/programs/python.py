import base64, json, os

import openapi_client
from openapi_client.api import face_api, facegallery_api, oauth_api, system_api
from openapi_client.exceptions import ApiException
from openapi_client.models import *

URL, CLIENT, PASSWORD = (os.environ[name] for name in ('URL', 'CLIENT', 'PASSWORD'))
GALLERY = 'python'

def picture(name):
    with open(name, 'rb') as file:
        return base64.b64encode(file.read()).decode()

configuration = openapi_client.Configuration(host=URL)
# The generator reads it without a default.
configuration.access_token = None
api = openapi_client.ApiClient(configuration)
login = ClientTokenRequest(client_id=CLIENT, password=PASSWORD)
configuration.access_token = oauth_api.OauthApi(api).client_token(client_token_request=login).access_token
galleries, faces, system = facegallery_api.FacegalleryApi(api), face_api.FaceApi(api), system_api.SystemApi(api)

galleries.create_gallery(CreateGalleryRequest(facegallery_id=GALLERY))
ani = dict(facegallery_id=GALLERY, user_id='ani')
enrolled = faces.enrol_face(EnrolFaceRequest(user_name='Ani', image=picture('ani.jpg'), **ani))
print('enrolled:', enrolled.status)
print('verified:', json.dumps(faces.verify_face(VerifyFaceRequest(image=picture('again.jpg'), **ani)).verified))
for name in ['again.jpg', 'budi.jpg']:
    found = faces.identify_face(IdentifyFaceRequest(facegallery_id=GALLERY, image=picture(name)))
    print(f'{name}:', found.status, *[one.user_name for one in found._return])
print('listed:', *[one.user_id for one in faces.list_faces(GALLERY, limit=10).faces])
print('workers:', system.get_status().engine.workers)
nobody = dict(facegallery_id=GALLERY, user_id='nobody', user_name='Nobody')
try:
    faces.enrol_face(EnrolFaceRequest(image=picture('nobody.jpg'), **nobody))
except ApiException as refused:
    print('refused:', refused.status, json.loads(refused.body)['error'])
print('deleted:', galleries.delete_gallery(GALLERY).status)
