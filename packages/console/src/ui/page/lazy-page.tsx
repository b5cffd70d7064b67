import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asApiError } from '../../api/api-error.ts';
import { ErrorNotice } from '../notice.tsx';
import { Skeleton } from '../states.tsx';

/**
 * A page whose code is loaded when it is opened first.
 * @example const ActivityPage = lazyPage(async () => (await import('./activity-page.tsx')).ActivityPage);
 */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function LazyPage() {
    const [Page, setPage] = useState<{ of: ComponentType } | undefined>(loaded && { of: loaded });
    const [failure, setFailure] = useState<unknown>();
    const start = () => {
      setFailure(undefined);
      load().then((found) => {
        loaded = found;
        setPage({ of: found });
      }, setFailure);
    };
    useEffect(() => {
      if (!loaded) start();
    }, []);
    if (Page) return <Page.of />;
    return (
      <div class="page">
        {failure === undefined ? <Skeleton /> : <ErrorNotice error={asApiError(failure)} onRetry={start} />}
      </div>
    );
  };
}
