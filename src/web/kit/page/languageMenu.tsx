import { chooseLanguage, language } from '#web/kit/language/chosenLanguage'
import { allLanguages, type BuiltInLanguage, isBuiltIn, isLanguage, nameOfLanguage } from '#web/kit/language/languages'
import { useTranslator } from '#web/kit/ui/translator'

/** The picture of a language. */
export const GLOBE =
  'M12 3.500a8.500 8.500 0 100 17 8.500 8.500 0 000-17zM3.500 12h17M12 3.500c5 5 5 12 0 17-5-5-5-12 0-17z'

type Props = {
  /** The languages that the page comes with, if they are not all. Those that the site has added are always there. */
  only?: readonly BuiltInLanguage[]
}

/** A menu of the languages, each by the name that its speakers give it. */
export function LanguageMenu({ only }: Props) {
  const { t } = useTranslator()
  const choices = allLanguages().filter((each) => !only || !isBuiltIn(each) || only.includes(each))
  return (
    <label class="language-menu">
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d={GLOBE} />
      </svg>
      <span class="hidden">{t('site.language')}</span>
      <span class="control menu">
        <select
          class="input"
          value={choices.includes(language.value) ? language.value : 'en'}
          onChange={({ currentTarget: { value } }) => isLanguage(value) && chooseLanguage(value)}
        >
          {choices.map((each) => (
            <option key={each} value={each} lang={each}>
              {nameOfLanguage(each)}
            </option>
          ))}
        </select>
      </span>
    </label>
  )
}
