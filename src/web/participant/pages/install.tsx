/** How the app comes to the home screen of the device, where it has one of its own and reminders work. */

import { signal } from '@preact/signals'
import { smallStorage } from '#web/kit/storage/smallStorage'
import { Button } from '#web/kit/ui/components'
import { useTranslator } from '#web/participant/texts'
import { Glyph } from './glyph'

type InstallEvent = Event & { prompt(): Promise<unknown> }

/** What the browser offers, once it has decided that the app can be installed. */
const offered = signal<InstallEvent | undefined>(undefined)
const KEY = 'installHint'
const isDismissed = signal(smallStorage.getItem(KEY) === 'no')

const isInstallEvent = (event: Event): event is InstallEvent => 'prompt' in event

/** Notes what the browser offers. Once, when the app begins. */
export function awaitInstallation(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    if (isInstallEvent(event)) offered.value = event
  })
  addEventListener('appinstalled', () => {
    offered.value = undefined
  })
}

export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true

/** iPhones and iPads have no question of the browser: the person does it through a menu. */
export const isApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** @param isAlways also to somebody who did not want it before */
export function InstallHint({ isAlways = false }: { isAlways?: boolean }) {
  const { t } = useTranslator()
  if (isInstalled() || (isDismissed.value && !isAlways)) return null
  const event = offered.value
  if (!event && !isApple()) return null
  const dismiss = () => {
    smallStorage.setItem(KEY, 'no')
    isDismissed.value = true
  }
  return (
    <section class="card hint" aria-labelledby="install">
      <span class="row-icon">
        <Glyph name="phone" />
      </span>
      <div>
        <h2 id="install">{t('install.title')}</h2>
        <p>{t(event ? 'install.note' : 'install.apple')}</p>
        <div class="actions start">
          {event && (
            <Button kind="main" onPress={() => void event.prompt()}>
              {t('install.do')}
            </Button>
          )}
          {!isAlways && (
            <button type="button" class="plain" onClick={dismiss}>
              {t('install.no')}
            </button>
          )}
        </div>
      </div>
    </section>
  )
}
