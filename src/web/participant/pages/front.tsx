/** The frame of the pages for somebody who is not signed in. */
import type { ComponentChildren } from 'preact'
import { route } from '#web/participant/route'
import { useTranslator } from '#web/participant/translator'
import { Mark } from '../../kit/page/mark'
import { LanguageMenu } from './appearance'

export function Front({ children }: { children: ComponentChildren }) {
  const { t } = useTranslator()
  return (
    <div class="front">
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
      <main id="page" key={route.value}>
        {children}
      </main>
    </div>
  )
}
