/** The texts of the console: those of its frame, which every area has, and those of each area, which are loaded with it. */
import { computed } from '@preact/signals'
import { type ComponentChildren, h } from 'preact'
import type { en } from '#web/console/lang/shell/en'
import type { English } from '#web/kit/language/catalogue'
import { language } from '#web/kit/language/chosenLanguage'
import type { Language } from '#web/kit/language/languages'
import { type Catalogue, type Common, createTranslatorLoader, type Translator } from '#web/kit/language/translator'
import { useTexts } from '#web/kit/language/useTexts'
import { type SignInTexts, signIn } from '#web/kit/signIn/texts'
import { createTranslatorContext, Skeleton } from '#web/kit/ui/components'
import { staffLanguageOf, staffTexts } from './staffLanguages'

export type ShellTexts = typeof en
export type ShellTranslator = Translator<Common & SignInTexts & ShellTexts>

export const shell = staffTexts('console/shell', async () => (await import('#web/console/lang/shell/en')).en, {
  de: async () => (await import('#web/console/lang/shell/de')).de,
})

const loadShell = createTranslatorLoader(signIn, shell)

/** The language that the person reads in the console. */
export const staffLanguage = computed(() => staffLanguageOf(language.value))

/** The texts of the frame in the language of staff that fits. */
export const loadTranslator = (wanted: Language): Promise<ShellTranslator> => loadShell(staffLanguageOf(wanted))

/** The translator of the frame, for it and for the parts that areas share. */
export const { Provider: ShellTranslatorProvider, use: useShellTranslator } = createTranslatorContext<ShellTranslator>()

/** The texts of an area. @param catalogue made with `staffTexts` */
export function areaTexts<E extends English>(catalogue: Catalogue<E>) {
  const load = createTranslatorLoader(signIn, shell, catalogue)
  const { Provider, use } = createTranslatorContext<Translator<Common & SignInTexts & ShellTexts & E>>()
  /** Shows an area as soon as its texts are there. */
  function Texts({ children }: { children: ComponentChildren }) {
    const translator = useTexts(load, staffLanguage.value)
    return translator ? h(Provider, { value: translator }, children) : h(Skeleton, { lines: 6 })
  }
  return { catalogue, Texts, useTranslator: use }
}

/** What the list of areas knows of the texts of one. */
export type AreaTexts = Pick<ReturnType<typeof areaTexts>, 'Texts'>
