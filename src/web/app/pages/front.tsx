/** The frame of the pages for somebody who is not signed in. */
import type { ComponentChildren } from 'preact'
import { route } from '#web/app/route'
import { useSpeaker } from '#web/app/speaking'
import { LanguageMenu } from './appearance'

/** The sign of the app. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M9 16.5l5 5 9.5-11" />
  </svg>
)

export function Front({ children }: { children: ComponentChildren }) {
  const { say } = useSpeaker()
  return (
    <div class="front">
      <a class="skip" href="#page">
        {say('site.skip')}
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
