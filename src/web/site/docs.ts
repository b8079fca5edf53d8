/** The page of the API: Swagger UI, which is loaded before. */

import { elementsOf } from './docsMarkdown'

type Component = (props: never) => unknown
type System = {
  React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown; Fragment: unknown }
}
declare global {
  interface Window {
    SwaggerUIBundle(options: object): unknown
  }
}

/** Changes to Swagger UI without which keyboards and screen readers meet obstacles. */
const accessible = (system: System) => {
  const create = system.React.createElement
  return {
    wrapComponents: {
      // Without HTML: see the module.
      Markdown: () => (props: { source?: string; className?: string }) =>
        create(
          'div',
          { className: `renderedMarkdown ${props.className ?? ''}` },
          ...elementsOf(create, props.source ?? ''),
        ),
      // A link inside the button that opens an operation. The address changes all the same.
      DeepLink: () => (props: { text: string }) => create('span', { className: 'nostyle' }, props.text),
      // The areas are headings of the third level.
      operations: (Original: Component) => (props: object) =>
        create(
          system.React.Fragment,
          null,
          create('h2', { className: 'visually-hidden' }, 'Operations'),
          create(Original, props),
        ),
      // All content is in a landmark.
      InfoContainer: (Original: Component) => (props: object) =>
        create('div', { role: 'banner' }, create(Original, props)),
      FilterContainer: (Original: Component) => (props: object) =>
        create('div', { role: 'search' }, create(Original, props)),
      // A choice of one server, without a label.
      ServersContainer: () => () => null,
    },
  }
}

window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  plugins: [accessible],
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: false,
  persistAuthorization: false, // a key must not stay behind in a browser
  validatorUrl: null, // would ask a server on the internet
})
