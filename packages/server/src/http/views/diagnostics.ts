import { endpoints } from '@wajah/contract';

type Fields = Readonly<Record<string, unknown>>;

/** The answer of an endpoint without what only the scope `diagnostics` may see. */
export function withoutDiagnostics(endpointId: string, view: Fields): Fields {
  if (endpointId !== endpoints.submitLivenessSession.id) return view;
  const { diagnostics: _, results, ...rest } = view;
  return { ...rest, results: Array.isArray(results) ? results.map(withoutSpoofScore) : results };
}

function withoutSpoofScore({ spoof_score: _, is_spoof: __, spoof_verdict: ___, ...step }: Fields): Fields {
  return step;
}
