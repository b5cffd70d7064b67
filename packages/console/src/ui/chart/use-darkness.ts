import { useEffect, useState } from 'preact/hooks';

const query = '(prefers-color-scheme: dark)';

/** Whether the device asks for dark pages; changes with it. */
export function useDarkness(): boolean {
  const [dark, setDark] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const onChange = () => setDark(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);
  return dark;
}
