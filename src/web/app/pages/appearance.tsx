/** The language and the colours of the app on this device. */

import { chooseLanguage, language } from '#web/app/language'
import { useSpeaker } from '#web/app/speaking'
import { chooseTheme, type Theme, theme, themes } from '#web/app/theme'
import { isLanguage, languages } from '#web/common/texts'
import { Glyph } from './glyph'

/** A menu of the languages, each by the name that its speakers give it. */
export function LanguageMenu() {
  const { say } = useSpeaker()
  return (
    <label class="language-menu">
      <Glyph name="globe" />
      <span class="hidden">{say('site.language')}</span>
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
  const { say } = useSpeaker()
  const names: Record<Theme, string> = {
    system: say('app.themeSystem'),
    light: say('app.themeLight'),
    dark: say('app.themeDark'),
  }
  return (
    <div class="card appearance">
      <LanguageMenu />
      <fieldset class="segments">
        <legend class="hidden">{say('app.theme')}</legend>
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
