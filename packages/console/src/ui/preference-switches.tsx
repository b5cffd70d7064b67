import { words } from '../i18n/words.ts';
import { type Language, language, type Theme, theme } from '../state/preferences.ts';
import { Icon } from './icon.tsx';
import { Segments } from './segments.tsx';

/** Language and appearance. */
export function PreferenceSwitches() {
  const { common } = words.value;
  return (
    <>
      <Segments<Language>
        label={common.language}
        value={language.value}
        options={[
          { value: 'en', text: 'EN', name: 'English' },
          { value: 'id', text: 'ID', name: 'Bahasa Indonesia' },
        ]}
        onChoose={(chosen) => {
          language.value = chosen;
        }}
      />
      <Segments<Theme>
        label={common.theme}
        value={theme.value}
        options={[
          { value: 'system', text: <Icon name="device" />, name: common.themeSystem },
          { value: 'light', text: <Icon name="sun" />, name: common.themeLight },
          { value: 'dark', text: <Icon name="moon" />, name: common.themeDark },
        ]}
        onChoose={(chosen) => {
          theme.value = chosen;
        }}
      />
    </>
  );
}
