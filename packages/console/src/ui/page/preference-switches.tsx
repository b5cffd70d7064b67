import { messages } from '../../i18n/messages.ts';
import { type Language, language, type Theme, theme, themes } from '../../state/preferences.ts';
import { Icon, IconButton, type IconName } from '../icon.tsx';
import { Segments } from '../segments.tsx';

const icons: Record<Theme, IconName> = { system: 'device', light: 'sun', dark: 'moon' };

function themeNames(): Record<Theme, string> {
  const { common } = messages.value;
  return { system: common.themeSystem, light: common.themeLight, dark: common.themeDark };
}

/** Language and theme. @param compact one button that cycles through the themes */
export function PreferenceSwitches({ compact = false }: { compact?: boolean }) {
  const { common } = messages.value;
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
      label={messages.value.common.theme}
      value={theme.value}
      options={themes.map((value) => ({ value, text: <Icon name={icons[value]} />, name: names[value] }))}
      onChoose={(chosen) => {
        theme.value = chosen;
      }}
    />
  );
}

function ThemeButton() {
  const name = `${messages.value.common.theme}: ${themeNames()[theme.value]}`;
  return (
    <IconButton
      icon={icons[theme.value]}
      label={name}
      onClick={() => {
        theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
      }}
    />
  );
}
