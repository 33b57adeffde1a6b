export default function Layout() {}
