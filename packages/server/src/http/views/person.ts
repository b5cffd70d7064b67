import type { FaceRecord } from '../../store/store.ts';

/** A user in a list. @param details with times */
export function personView(face: FaceRecord, details: boolean) {
  return details ? timedView(face) : { user_id: face.userId, user_name: face.userName };
}

export function timedView({ userId, userName, createdAt, updatedAt }: FaceRecord) {
  return {
    user_id: userId,
    user_name: userName,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
