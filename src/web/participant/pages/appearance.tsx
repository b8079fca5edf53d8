/** The language and the colours of the app on this device. */

import { chooseLanguage, language } from '#web/kit/language/chosenLanguage'
import { isLanguage, languages } from '#web/kit/language/translator'
import { chooseTheme, type Theme, theme, themes } from '#web/kit/page/theme'
import { useTranslator } from '#web/participant/translator'
import { Glyph } from './glyph'

/** A menu of the languages, each by the name that its speakers give it. */
export function LanguageMenu() {
  const { t } = useTranslator()
  return (
    <label class="language-menu">
      <Glyph name="globe" />
      <span class="hidden">{t('site.language')}</span>
      <span class="control menu">
        <select
          class="input"
          value={language.value}
          onChange={({ currentTarget: { value } }) => isLanguage(value) && chooseLanguage(value)}
        >
          {Object.entries(languages).map(([each, { name }]) => (
            <option key={each} value={each} lang={each}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </label>
  )
}

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
