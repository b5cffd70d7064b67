import { csvId } from '@wajah/client';
import { normaliseName } from '@wajah/contract';
import { OperatorError } from '@wajah/server/commands';
import { readCsv } from './csv-file.ts';

/**
 * The user_ids of a CSV file with that column, or of a list with one on each line, each once.
 * @throws OperatorError as `readCsv`
 */
export async function readUserIds(file: string): Promise<{ userIds: string[]; note?: string | undefined }> {
  const columns = { required: ['user_id'], useful: 'user_id', list: 'user_id' };
  const { rows, note } = await readCsv(file, columns);
  const wrong = rows.find(({ fault }) => fault !== undefined);
  if (wrong) throw new OperatorError(`${file}: line ${wrong.line}: ${wrong.fault}`);
  const userIds = rows.map(({ row }) => normaliseName(csvId(row['user_id'] ?? ''))).filter((id) => id !== '');
  return { userIds: [...new Set(userIds)], note };
}
