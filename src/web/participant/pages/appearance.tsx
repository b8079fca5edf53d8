/** The language and the colours of the app on this device. */

import { LanguageMenu } from '#web/kit/page/page'
import { chooseTheme, type Theme, theme, themes } from '#web/kit/page/theme'
import { useTranslator } from '#web/participant/texts'

export function Appearance() {
  const { t } = useTranslator()
  const names: Record<Theme, string> = {
    system: t('app.themeSystem'),
    light: t('app.themeLight'),
    dark: t('app.themeDark'),
  }
  return (
    <div class="card appearance">
      <LanguageMenu />
      <fieldset class="segments">
        <legend class="hidden">{t('app.theme')}</legend>
        {themes.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="theme"
              value={each}
              checked={theme.value === each}
              onChange={() => chooseTheme(each)}
            />
            <span>{names[each]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  )
}
