/** The frame of a page that stands alone, without a menu: the name, the choice of a language, and the content. */
import type { ComponentChildren } from 'preact'
import { useTranslator } from '#web/kit/ui/translator'
import { LanguageMenu } from './languageMenu'
import { Mark } from './mark'

type Props = {
  /** A class of the whole page. */
  name: string
  /** The content begins anew when it changes. */
  place?: string
  /** Whether a script may move the focus to the content. */
  isFocusable?: boolean
  children: ComponentChildren
}

export function Frame({ name, place, isFocusable, children }: Props) {
  const { t } = useTranslator()
  return (
    <div class={name}>
      <a class="skip" href="#page">
        {t('site.skip')}
      </a>
      <header class="front-top">
        <span class="brand">
          <Mark />
          Trialbox
        </span>
        <LanguageMenu />
      </header>
      <main id="page" key={place} {...(isFocusable ? { tabIndex: -1 } : {})}>
        {children}
      </main>
    </div>
  )
}
