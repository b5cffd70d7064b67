import { words } from '../../i18n/words.ts';
import { type Language, language, type Theme, theme, themes } from '../../state/preferences.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Segments } from '../segments.tsx';

const icons: Record<Theme, IconName> = { system: 'device', light: 'sun', dark: 'moon' };

function themeNames(): Record<Theme, string> {
  const { common } = words.value;
  return { system: common.themeSystem, light: common.themeLight, dark: common.themeDark };
}

/** Language and appearance. @param compact appearance as one button that goes through the choices */
export function PreferenceSwitches({ compact = false }: { compact?: boolean }) {
  const { common } = words.value;
  return (
    <>
      <Segments<Language>
        label={common.language}
        value={language.value}
        options={[
          { value: 'en', text: 'EN', name: 'EN, English' },
          { value: 'id', text: 'ID', name: 'ID, Bahasa Indonesia' },
        ]}
        onChoose={(chosen) => {
          language.value = chosen;
        }}
      />
      {compact ? <ThemeButton /> : <ThemeSwitch />}
    </>
  );
}

function ThemeSwitch() {
  const names = themeNames();
  return (
    <Segments<Theme>
      label={words.value.common.theme}
      value={theme.value}
      options={themes.map((value) => ({ value, text: <Icon name={icons[value]} />, name: names[value] }))}
      onChoose={(chosen) => {
        theme.value = chosen;
      }}
    />
  );
}

function ThemeButton() {
  const name = `${words.value.common.theme}: ${themeNames()[theme.value]}`;
  return (
    <button
      type="button"
      class="button plain icon"
      aria-label={name}
      title={name}
      onClick={() => {
        theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
      }}
    >
      <Icon name={icons[theme.value]} />
    </button>
  );
}
