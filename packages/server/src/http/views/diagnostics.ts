import { endpoints } from '@wajah/contract';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The answer of an endpoint without what only the scope `diagnostics` may see: what a session measured, and how similar
 * the face of one that failed is to the user, which a backend may pass on to the person who tries.
 */
export function withoutDiagnostics(endpointId: string, view: Fields): Fields {
  if (endpointId !== endpoints.submitLivenessSession.id) return view;
  const { diagnostics: _, similarity, results, ...rest } = view;
  const shown = rest['liveness'] === 'passed' && similarity !== undefined ? { similarity } : {};
  return { ...rest, ...shown, results: Array.isArray(results) ? results.map(withoutSpoofScore) : results };
}

function withoutSpoofScore({ spoof_score: _, is_spoof: __, spoof_verdict: ___, ...step }: Fields): Fields {
  return step;
}
