import { chooseLanguage, language } from '#web/kit/language/chosenLanguage'
import { isLanguage, type Language, languages } from '#web/kit/language/languages'
import { useTranslator } from '#web/kit/ui/texts'

/** The picture of a language. */
export const GLOBE =
  'M12 3.500a8.500 8.500 0 100 17 8.500 8.500 0 000-17zM3.500 12h17M12 3.500c5 5 5 12 0 17-5-5-5-12 0-17z'

type Props = {
  /** The languages that the page has, if they are not all. */
  only?: readonly Language[]
}

/** A menu of the languages, each by the name that its speakers give it. */
export function LanguageMenu({ only }: Props) {
  const { t } = useTranslator()
  const choices = Object.entries(languages).filter(([each]) => !only || only.some((one) => one === each))
  return (
    <label class="language-menu">
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d={GLOBE} />
      </svg>
      <span class="hidden">{t('site.language')}</span>
      <span class="control menu">
        <select
          class="input"
          value={only && !only.includes(language.value) ? 'en' : language.value}
          onChange={({ currentTarget: { value } }) => isLanguage(value) && chooseLanguage(value)}
        >
          {choices.map(([each, { name }]) => (
            <option key={each} value={each} lang={each}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </label>
  )
}
