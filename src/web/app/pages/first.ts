/** What the app begins with. Other pages are loaded when the person comes to them. */
export { awaitInstallation } from './install'
export { Join } from './join'
export { Shell } from './shell'
export { SignIn } from './signIn'
