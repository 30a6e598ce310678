// Ends at once, successfully, as the least ordinary program does.
int main() {
  return 0;
}
