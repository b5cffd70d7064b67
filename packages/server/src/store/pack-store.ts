import { readEnrolledSpecs } from './contents.ts';
import type { Database } from './database/session.ts';
import type { PackStore, StoredPack } from './ports/packs.ts';
import { bytesOf, isJson, rowMapper } from './rows.ts';

const packs = rowMapper<StoredPack>(
  'model_packs',
  { id: 'text', definition: 'text', seal: 'bytes' },
  {},
  { definition: isJson },
);

/** Bytes of a row: what a statement carries at once. */
const partBytes = 512 * 1024;

export function createPackStore(db: Database): PackStore {
  return {
    list: () => packs.all(db, 'SELECT * FROM model_packs ORDER BY id'),
    async files(id) {
      const sql = 'SELECT file, content FROM model_pack_files WHERE pack = $1 ORDER BY file, part';
      const files = new Map<string, Uint8Array[]>();
      for (const { file, content } of await db.all<{ file: string; content: ArrayBuffer }>(sql, id))
        files.set(file, [...(files.get(file) ?? []), bytesOf(content)]);
      return new Map([...files].map(([file, parts]) => [file, Buffer.concat(parts)]));
    },
    put: (pack, files) =>
      db.transaction(
        async ({ run }) => {
          await run('DELETE FROM model_packs WHERE id = $1', pack.id);
          await run(packs.insert(), ...packs.values(pack));
          const insert = 'INSERT INTO model_pack_files (pack, file, part, content) VALUES ($1, $2, $3, $4)';
          for (const [file, bytes] of files)
            for (let part = 0; part * partBytes < bytes.length; part++)
              await run(
                insert,
                pack.id,
                file,
                part,
                bytes.subarray(part * partBytes, (part + 1) * partBytes),
              );
        },
        { lock: 'model packs' },
      ),
    async remove(id) {
      await db.run('DELETE FROM model_packs WHERE id = $1', id);
    },
    enrolled: () => readEnrolledSpecs(db),
  };
}
