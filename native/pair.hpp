// Two tasks at once, thousands of times a second.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>

namespace covey {

// A second thread that stands ready. It spins between tasks, for at most some tens of microseconds on
// end before it lets others run, because waking a sleeping thread takes longer than the tasks do. Where no thread can
// be had, there is none: ask parallel().
class Pair {
 public:
  explicit Pair(bool parallel) : parallel_(parallel) {
    if (!parallel_) return;
    try {
      helper_ = std::thread([this] { serve(); });
    } catch (const std::system_error&) {
      parallel_ = false;
    }
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    if (!parallel_) return;
    task_ = nullptr;
    asked_.fetch_add(1, std::memory_order_release);
    helper_.join();
  }

  bool parallel() const { return parallel_; }

  // Runs both, which needs a parallel pair, and returns when both are done; an exception of either is thrown here.
  template <class There, class Here>
  void run(There&& there, Here&& here) {
    failure_ = nullptr;
    task_ = std::ref(there);
    const unsigned round = asked_.fetch_add(1, std::memory_order_release) + 1;
    std::exception_ptr failure;
    try {
      here();
    } catch (...) {
      failure = std::current_exception();
    }
    wait_until(done_, round);
    if (failure == nullptr) failure = failure_;
    if (failure != nullptr) std::rethrow_exception(failure);
  }

 private:
  static void wait_until(const std::atomic<unsigned>& counter, unsigned value) {
    for (int spins = 0; counter.load(std::memory_order_acquire) != value; ++spins)
      if (spins > 2000) std::this_thread::yield();
  }

  void serve() {
    for (unsigned round = 1;; ++round) {
      wait_until(asked_, round);
      if (!task_) return;
      try {
        task_();
      } catch (...) {
        failure_ = std::current_exception();
      }
      done_.store(round, std::memory_order_release);
    }
  }

  bool parallel_;
  std::function<void()> task_;
  std::exception_ptr failure_;
  alignas(64) std::atomic<unsigned> asked_ = 0;
  alignas(64) std::atomic<unsigned> done_ = 0;
  std::thread helper_;
};

}  // namespace covey
