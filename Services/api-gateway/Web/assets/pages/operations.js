import { element } from "../dom.js";
export function show({ main }) { main.replaceChildren(element("h1", {}, "Operations")); return "Operations"; }
