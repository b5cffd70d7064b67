import { define, group, line, networks } from '../../config/setting.ts';
import { OperatorError } from '../../errors.ts';

const none = { text: 'none', value: null };

export const cameraSettings = group(
  'Camera programs',
  {
    galleryId: define({
      name: 'WAJAH_CAMERAS_GALLERY',
      fallback: none,
      ...line(120),
      description:
        'The gallery (facegallery_id) of the people whom camera programs recognise and register, which speak the interface of DeepStack and CodeProject.AI, below `/v1`. Without it they are not served; see cameras.md.',
    }),
    networks: define({
      name: 'WAJAH_CAMERAS_NETWORKS',
      fallback: none,
      ...networks(),
      description:
        'Addresses and networks of camera programs that send no api_key: whoever has one of them may recognise, register, list and delete people of the gallery. Needs WAJAH_CAMERAS_CLIENT.',
    }),
    clientId: define({
      name: 'WAJAH_CAMERAS_CLIENT',
      fallback: none,
      ...line(120),
      description: 'The client (client_id) that calls from WAJAH_CAMERAS_NETWORKS are of.',
    }),
  },
  ({ galleryId, networks: from, clientId }) => {
    if ((from === null) !== (clientId === null))
      throw new OperatorError(
        'WAJAH_CAMERAS_NETWORKS and WAJAH_CAMERAS_CLIENT are set together; allowed: both or none',
      );
    if (galleryId === null) return null;
    return { galleryId, trusted: from && clientId ? { networks: from, clientId } : null };
  },
);
