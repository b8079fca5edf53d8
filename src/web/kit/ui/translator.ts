import { type ComponentChildren, createContext, h, type Provider } from 'preact'
import { useContext } from 'preact/hooks'
import type { Translator } from '#web/kit/language/translator'

/** Makes the context in which the components of a group of pages find the functions for their language. */
export function createTranslatorContext<S extends Translator>() {
  const context = createContext<S | undefined>(undefined)
  return {
    Provider: context.Provider,
    use(): S {
      const translator = useContext(context)
      if (!translator) throw new Error('A component is outside of the page.')
      return translator
    },
  }
}

const common = createTranslatorContext<Translator>()

/** The translator of the components of all pages. */
export const useTranslator = common.use

/** Makes the language known to the components of all pages, and to those of these groups. */
export function TranslatorProvider<S extends Translator>(props: {
  translator: S
  providers: readonly Provider<S | undefined>[]
  children: ComponentChildren
}) {
  const { translator, providers, children } = props
  const inner = providers.reduceRight((within, Own) => h(Own, { value: translator }, within), children)
  return h(common.Provider, { value: translator }, inner)
}
