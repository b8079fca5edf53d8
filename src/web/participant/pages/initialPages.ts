/** What the app begins with. Other pages are loaded when the person comes to them. */

export { Front } from './front'
export { awaitInstallation } from './install'
export { Join } from './join'
export { lazyPage } from './lazyPage'
export { Page as Frame } from './page'
export { Shell } from './shell'
export { SignIn } from './signIn'
